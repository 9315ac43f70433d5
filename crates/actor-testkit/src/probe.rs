//! A probe stands in for any recipient of a message, so that a test can assert which messages arrive. A failure lists the
//! last messages with their times, and the one most similar to the expected one.
//!
//! ```
//! use kvota_actor_testkit::probe::Probe;
//!
//! #[derive(actix::Message, Clone, PartialEq, Debug)]
//! #[rtype(result = "()")]
//! struct Goal(u64);
//!
//! # actix::System::new().block_on(async {
//! let mut probe = Probe::<Goal>::start();
//! probe.recipient().send(Goal(17)).await.expect("the probe lives");
//! probe.expect_eq(Goal(17)).await;
//! probe.expect_none().await;
//! # });
//! ```

use crate::time::{patience, silence};
use actix::{Actor, Addr, Context, Handler, Message, Recipient, ResponseFuture};
use kvota_testkit::received::History;
use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::panic::Location;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

/// Stands in for a recipient of `M`.
///
/// ```
/// use kvota_actor_testkit::probe::Probe;
/// use std::time::Duration;
///
/// #[derive(actix::Message, Clone, PartialEq, Debug)]
/// #[rtype(result = "u32")]
/// struct Ask(&'static str);
///
/// # actix::System::new().block_on(async {
/// // It answers by itself …
/// let mut probe = Probe::<Ask>::answering(|ask| ask.0.len() as u32);
/// assert_eq!(probe.recipient().send(Ask("seven")).await, Ok(5));
/// probe.expect_where("a question with an s", |ask| ask.0.contains('s')).await;
///
/// // … or when the test says so.
/// let mut probe = Probe::<Ask>::start_manual();
/// let answer = probe.recipient().send(Ask("later"));
/// let asked = actix::spawn(answer);
/// probe.within(Duration::from_secs(1), async |probe| probe.expect().await).await;
/// probe.reply(7);
/// assert_eq!(asked.await.expect("no panic"), Ok(7));
///
/// // Several messages.
/// let mut probe = Probe::<Ask>::answering(|_| 0);
/// for text in ["a", "b", "noise", "c", "d", "end"] {
///     probe.recipient().do_send(Ask(text));
/// }
/// probe.ignore(|ask| ask.0 == "noise");
/// assert_eq!(probe.expect_n(2).await, [Ask("a"), Ask("b")]);
/// probe.expect_all_of(vec![("d", Box::new(|ask| ask.0 == "d")), ("c", Box::new(|ask| ask.0 == "c"))]).await;
/// assert!(probe.receive_while(|ask| ask.0 != "end").await.is_empty());
/// probe.expect_eventually("the end", |ask| ask.0 == "end").await;
/// probe.expect_none_for(Duration::from_millis(20)).await;
/// assert_eq!(probe.waiting(), 0);
/// # });
/// ```
pub struct Probe<M: Message + 'static> {
    address: Addr<ProbeActor<M>>,
    inbox: mpsc::UnboundedReceiver<Received<M>>,
    history: Rc<RefCell<History>>,
    owed: Option<oneshot::Sender<M::Result>>,
    deadline: Option<Instant>,
    /// A message that was looked at and not received.
    put_back: Option<Received<M>>,
    ignored: Vec<Fits<M>>,
}

/// Whether a message is the one that is meant.
///
/// ```
/// use kvota_actor_testkit::probe::Fits;
///
/// let is_high: Fits<u32> = Box::new(|odds| *odds > 100);
/// assert!(is_high(&150));
/// ```
pub type Fits<M> = Box<dyn Fn(&M) -> bool>;

/// A message, and the sender that waits for its answer.
struct Received<M: Message> {
    message: M,
    answer: Option<oneshot::Sender<M::Result>>,
}

/// The actor at the address.
struct ProbeActor<M: Message> {
    inbox: mpsc::UnboundedSender<Received<M>>,
    history: Rc<RefCell<History>>,
    answers: Answers<M>,
}

/// Gives the answer of a probe that answers by itself.
type Answering<M> = Box<dyn FnMut(&M) -> <M as Message>::Result>;

/// Which side answers.
enum Answers<M: Message> {
    /// The probe, at once.
    Itself(Answering<M>),
    /// The test, with [`Probe::reply`].
    TheTest,
}

impl<M> Probe<M>
where
    M: Message<Result = ()> + Debug + Send + 'static,
{
    /// A probe for a message without an answer.
    pub fn start() -> Probe<M> {
        Probe::with(Answers::Itself(Box::new(|_| ())))
    }
}

impl<M> Probe<M>
where
    M: Message + Debug + Send + 'static,
    M::Result: Send,
{
    /// A probe that answers nothing by itself: each sender waits for the test and its [`Probe::reply`].
    pub fn start_manual() -> Probe<M> {
        Probe::with(Answers::TheTest)
    }

    /// A probe that answers by itself.
    pub fn answering(answer: impl FnMut(&M) -> M::Result + 'static) -> Probe<M> {
        Probe::with(Answers::Itself(Box::new(answer)))
    }

    fn with(answers: Answers<M>) -> Probe<M> {
        let full = std::any::type_name::<M>();
        let name = format!("Probe<{}>", full.rsplit("::").next().unwrap_or(full));
        let history = Rc::new(RefCell::new(History::new(name)));
        let (sender, inbox) = mpsc::unbounded_channel();
        let address = ProbeActor { inbox: sender, history: Rc::clone(&history), answers }.start();
        Probe { address, inbox, history, owed: None, deadline: None, put_back: None, ignored: Vec::new() }
    }

    /// The recipient that messages are sent to.
    pub fn recipient(&self) -> Recipient<M> {
        self.address.clone().recipient()
    }

    /// Expects any message, and returns it.
    #[track_caller]
    pub fn expect(&mut self) -> impl Future<Output = M> {
        let caller = Location::caller();
        async move {
            match self.next(patience()).await {
                Some(message) => message,
                None => self.fail(caller, "a message was expected, and none came", None),
            }
        }
    }

    /// Expects the next message to equal this one.
    #[track_caller]
    pub fn expect_eq(&mut self, expected: M) -> impl Future<Output = M>
    where
        M: PartialEq,
    {
        let caller = Location::caller();
        async move {
            let shown = format!("{expected:?}");
            match self.next(patience()).await {
                Some(message) if message == expected => message,
                Some(_) => self.fail(caller, "another message came than the one expected", Some(&shown)),
                None => self.fail(caller, "a message was expected, and none came", Some(&shown)),
            }
        }
    }

    /// Expects the next message to fit; `what` describes it for the failure text.
    #[track_caller]
    pub fn expect_where(&mut self, what: &str, fits: impl Fn(&M) -> bool) -> impl Future<Output = M> {
        let caller = Location::caller();
        async move {
            match self.next(patience()).await {
                Some(message) if fits(&message) => message,
                Some(_) => self.fail(caller, &format!("the next message is not {what}"), Some(what)),
                None => self.fail(caller, &format!("{what} was expected, and no message came"), None),
            }
        }
    }

    /// Expects no message for 100 ms.
    #[track_caller]
    pub fn expect_none(&mut self) -> impl Future<Output = ()> {
        self.expect_none_for(silence())
    }

    /// Expects no message for this time.
    #[track_caller]
    pub fn expect_none_for(&mut self, time: Duration) -> impl Future<Output = ()> {
        let caller = Location::caller();
        async move {
            if self.next(time).await.is_some() {
                self.fail(caller, &format!("no message was expected for {time:?}, and one came"), None)
            }
        }
    }

    /// Expects this number of messages, and returns them.
    #[track_caller]
    pub fn expect_n(&mut self, count: usize) -> impl Future<Output = Vec<M>> {
        let caller = Location::caller();
        async move {
            let mut messages = Vec::with_capacity(count);
            let until = Instant::now() + patience();
            while messages.len() < count {
                match self.next_until(until).await {
                    Some(message) => messages.push(message),
                    None => {
                        let came = messages.len();
                        self.fail(caller, &format!("{count} messages were expected, and {came} came"), None)
                    }
                }
            }
            messages
        }
    }

    /// Returns the first message that fits, and drops those before it.
    #[track_caller]
    pub fn expect_eventually(&mut self, what: &str, fits: impl Fn(&M) -> bool) -> impl Future<Output = M> {
        let caller = Location::caller();
        async move {
            let until = Instant::now() + patience();
            loop {
                match self.next_until(until).await {
                    Some(message) if fits(&message) => return message,
                    Some(_) => {}
                    None => self.fail(caller, &format!("{what} was fished for, and did not come"), Some(what)),
                }
            }
        }
    }

    /// Expects messages that fit each of these, in any order, and no others between them. Returns them in the order of
    /// `wanted`.
    #[track_caller]
    pub fn expect_all_of(&mut self, wanted: Vec<(&str, Fits<M>)>) -> impl Future<Output = Vec<M>> {
        let caller = Location::caller();
        async move {
            let until = Instant::now() + patience();
            let mut found: Vec<Option<M>> = wanted.iter().map(|_| None).collect();
            while let Some((what, _)) = wanted.iter().zip(&found).find(|(_, found)| found.is_none()).map(|(it, _)| it) {
                let Some(message) = self.next_until(until).await else {
                    self.fail(caller, &format!("{what} was expected, and did not come"), Some(what))
                };
                let place = (0..wanted.len()).find(|place| found[*place].is_none() && wanted[*place].1(&message));
                let Some(place) = place else { self.fail(caller, "a message came that was not expected", Some(what)) };
                found[place] = Some(message);
            }
            found.into_iter().flatten().collect()
        }
    }

    /// Receives messages as long as they fit, until none comes for 100 ms. The first that does not fit is received next.
    pub async fn receive_while(&mut self, fits: impl Fn(&M) -> bool) -> Vec<M> {
        let mut received = Vec::new();
        while let Some(message) = self.next(silence()).await {
            if !fits(&message) {
                self.put_back = Some(Received { message, answer: self.owed.take() });
                break;
            }
            received.push(message);
        }
        received
    }

    /// Drops messages that fit from now on. A sender that waits for an answer to one waits in vain.
    pub fn ignore(&mut self, fits: impl Fn(&M) -> bool + 'static) {
        self.ignored.push(Box::new(fits));
    }

    /// Answers the message that was received last.
    ///
    /// # Panics
    /// No message waits for an answer: the probe answers by itself, none was received, or it was answered already.
    #[track_caller]
    pub fn reply(&mut self, answer: M::Result) {
        let Some(owed) = self.owed.take() else {
            let failure = self.history.borrow().failure("nobody waits for an answer of this probe", None);
            panic!("{failure}");
        };
        // The sender may have stopped waiting, which is not an error here.
        drop(owed.send(answer));
    }

    /// Limits the time for all expectations inside `story`.
    pub async fn within<T>(&mut self, time: Duration, story: impl AsyncFnOnce(&mut Probe<M>) -> T) -> T {
        let outer = self.deadline;
        let own = Instant::now() + crate::time::stretched(time);
        self.deadline = Some(outer.map_or(own, |outer| outer.min(own)));
        let result = story(self).await;
        self.deadline = outer;
        result
    }

    /// How many messages have arrived that the test has not received.
    pub fn waiting(&self) -> usize {
        self.inbox.len()
    }

    async fn next(&mut self, time: Duration) -> Option<M> {
        self.next_until(Instant::now() + time).await
    }

    async fn next_until(&mut self, until: Instant) -> Option<M> {
        let until = self.deadline.map_or(until, |deadline| deadline.min(until));
        loop {
            let received = match self.put_back.take() {
                Some(received) => received,
                None => timeout_at(until, self.inbox.recv()).await.ok().flatten()?,
            };
            if !self.ignored.iter().any(|fits| fits(&received.message)) {
                self.owed = received.answer;
                return Some(received.message);
            }
        }
    }

    fn fail(&self, caller: &Location<'_>, what: &str, expected: Option<&str>) -> ! {
        panic!("{caller}: {}", self.history.borrow().failure(what, expected))
    }
}

impl<M: Message + 'static> Debug for Probe<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Probe").field("history", &self.history).finish_non_exhaustive()
    }
}

// No field is pinned.
impl<M: Message> Unpin for ProbeActor<M> {}

impl<M: Message + 'static> Actor for ProbeActor<M> {
    type Context = Context<Self>;
}

impl<M> Handler<M> for ProbeActor<M>
where
    M: Message + Debug + Send + 'static,
    M::Result: Send,
{
    type Result = ResponseFuture<M::Result>;

    fn handle(&mut self, message: M, _: &mut Context<Self>) -> Self::Result {
        self.history.borrow_mut().note(format!("{message:?}"));
        match &mut self.answers {
            Answers::Itself(answer) => {
                let answer = answer(&message);
                // A test that has ended receives nothing more.
                drop(self.inbox.send(Received { message, answer: None }));
                Box::pin(std::future::ready(answer))
            }
            Answers::TheTest => {
                let (sender, answer) = oneshot::channel();
                drop(self.inbox.send(Received { message, answer: Some(sender) }));
                Box::pin(async {
                    match answer.await {
                        Ok(answer) => answer,
                        // The test dropped it: the sender waits for its timeout, as with an actor that hangs.
                        Err(_) => std::future::pending().await,
                    }
                })
            }
        }
    }
}
