//! A request with a body that is not read to its end: its connection is closed soon after the answer (`CLOSING_MS_MAX`). Without
//! this middleware the server would wait for the rest of a chunked body without a time limit.
//!
//! The server does so only after the body was dropped, so it is kept until the answer has been sent.

use actix_web::HttpMessage;
use actix_web::body::{BodySize, EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::header::TRANSFER_ENCODING;
use actix_web::middleware::Next;
use bytes::Bytes;
use futures_util::Stream;
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

/// A body that the call reads and the answer keeps.
#[derive(Clone)]
struct KeptBody(Rc<RefCell<Payload>>);

impl Stream for KeptBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(cx)
    }
}

/// An answer that keeps the body of its request until it has been sent.
pub(super) struct KeepingBody<B> {
    answer: Pin<Box<B>>,
    _request: KeptBody,
}

impl<B: MessageBody> MessageBody for KeepingBody<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.answer.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, B::Error>>> {
        self.answer.as_mut().poll_next(cx)
    }
}

/// The middleware.
pub(super) async fn close_after_unread_body<B: MessageBody>(
    mut req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<KeepingBody<B>, B>>, actix_web::Error> {
    if !req.headers().contains_key(TRANSFER_ENCODING) {
        return Ok(next.call(req).await?.map_into_right_body());
    }
    let body = KeptBody(Rc::new(RefCell::new(req.take_payload())));
    req.set_payload(Payload::Stream { payload: Box::pin(body.clone()) });
    let answered = next.call(req).await?;
    Ok(answered.map_body(|_, answer| EitherBody::left(KeepingBody { answer: Box::pin(answer), _request: body })))
}
