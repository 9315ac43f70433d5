//! A fake is an actor with rules: each rule matches messages and gives the answer. It records the calls and their
//! order, also across several fakes if they share a [`Calls`].

use actix::{Actor, Addr, Context, Handler, Message, Recipient};
use kvota_testkit::received::History;
use kvota_testkit::seed::replay_hint;
use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::rc::Rc;

/// The names of the rules that were called, in order. Clones share the list.
///
/// ```
/// use kvota_actor_testkit::fake::{Calls, Fake};
///
/// #[derive(actix::Message, Debug)]
/// #[rtype(result = "bool")]
/// struct Save(u32);
///
/// # actix::System::new().block_on(async {
/// let calls = Calls::default();
/// let store = Fake::of(&calls).on("save", |_: &Save| true, |_| true).start();
/// let mirror = Fake::of(&calls).on("mirror", |_: &Save| true, |_| true).start();
/// store.recipient().send(Save(1)).await.expect("an answer");
/// mirror.recipient().send(Save(1)).await.expect("an answer");
/// calls.expect_order(&["save", "mirror"]);
/// calls.expect_exactly(&["save", "mirror"]);
/// assert_eq!((calls.count("save"), calls.all().len()), (1, 2));
/// # });
/// ```
#[derive(Clone, Debug, Default)]
pub struct Calls(Rc<RefCell<Vec<&'static str>>>);

impl Calls {
    /// All calls.
    pub fn all(&self) -> Vec<&'static str> {
        self.0.borrow().clone()
    }

    /// How often a rule was called.
    pub fn count(&self, rule: &str) -> usize {
        self.0.borrow().iter().filter(|called| **called == rule).count()
    }

    /// Asserts that these were called in this order; other calls may lie in between.
    #[track_caller]
    pub fn expect_order(&self, rules: &[&str]) {
        let called = self.0.borrow();
        let mut rest = called.iter();
        for (place, rule) in rules.iter().enumerate() {
            let found = rest.any(|name| name == rule);
            assert!(
                found,
                "call {} of {rules:?} ({rule}) did not come in its place; called were {called:?}{}",
                place + 1,
                replay_hint()
            );
        }
    }

    /// Asserts that exactly these were called, in this order.
    #[track_caller]
    pub fn expect_exactly(&self, rules: &[&str]) {
        assert_eq!(*self.0.borrow(), rules, "calls in their order{}", replay_hint());
    }
}

type Fits<M> = Box<dyn Fn(&M) -> bool>;
type Makes<M> = Box<dyn FnMut(&M) -> <M as Message>::Result>;

struct Rule<M: Message> {
    name: &'static str,
    fits: Fits<M>,
    answer: Makes<M>,
    left: Option<usize>,
}

/// A fake under construction.
///
/// ```
/// use kvota_actor_testkit::fake::Fake;
///
/// #[derive(actix::Message, Debug)]
/// #[rtype(result = "Result<u32, String>")]
/// struct Price(u32);
///
/// # actix::System::new().block_on(async {
/// let store = Fake::new()
///     .on("down", |_: &Price| true, |_| Err("no connection".to_owned()))
///     .times(1)
///     .on("price", |price| price.0 < 100, |price| Ok(price.0 * 2))
///     .start();
/// let first = store.recipient().send(Price(7)).await.expect("an answer");
/// assert_eq!(first, Err("no connection".to_owned()), "the first rule holds once");
/// assert_eq!(store.recipient().send(Price(7)).await.expect("an answer"), Ok(14));
/// # });
/// ```
pub struct Fake<M: Message> {
    calls: Calls,
    rules: Vec<Rule<M>>,
}

impl<M> Fake<M>
where
    M: Message + Debug + Send + 'static,
    M::Result: Send,
{
    /// A fake without rules.
    pub fn new() -> Fake<M> {
        Fake::of(&Calls::default())
    }

    /// A fake that records its calls in a shared list.
    pub fn of(calls: &Calls) -> Fake<M> {
        Fake { calls: calls.clone(), rules: Vec::new() }
    }

    /// Adds a rule: a message that `fits` gets this answer. The first matching rule applies.
    pub fn on(
        mut self,
        name: &'static str,
        fits: impl Fn(&M) -> bool + 'static,
        answer: impl FnMut(&M) -> M::Result + 'static,
    ) -> Fake<M> {
        self.rules.push(Rule { name, fits: Box::new(fits), answer: Box::new(answer), left: None });
        self
    }

    /// Limits the last rule to this number of messages; later rules apply after that.
    pub fn times(mut self, count: usize) -> Fake<M> {
        if let Some(rule) = self.rules.last_mut() {
            rule.left = Some(count);
        }
        self
    }

    /// Starts the fake on this thread.
    pub fn start(self) -> Played<M> {
        let full = std::any::type_name::<M>();
        let name = format!("Fake<{}>", full.rsplit("::").next().unwrap_or(full));
        let history = Rc::new(RefCell::new(History::new(name)));
        let player = FakeActor { calls: self.calls.clone(), rules: self.rules, history };
        Played { calls: self.calls, address: player.start() }
    }
}

impl<M> Default for Fake<M>
where
    M: Message + Debug + Send + 'static,
    M::Result: Send,
{
    fn default() -> Fake<M> {
        Fake::new()
    }
}

impl<M: Message> Debug for Fake<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fake").field("rules", &self.rules.len()).finish_non_exhaustive()
    }
}

/// A running fake.
///
/// ```
/// use kvota_actor_testkit::fake::Fake;
///
/// #[derive(actix::Message, Debug)]
/// #[rtype(result = "()")]
/// struct Tick;
///
/// # actix::System::new().block_on(async {
/// let clock = Fake::<Tick>::new().on("tick", |_| true, |_| ()).start();
/// clock.recipient().send(Tick).await.expect("an answer");
/// assert_eq!(clock.calls.count("tick"), 1);
/// # });
/// ```
pub struct Played<M: Message + 'static> {
    /// The recorded calls.
    pub calls: Calls,
    address: Addr<FakeActor<M>>,
}

impl<M> Played<M>
where
    M: Message + Debug + Send + 'static,
    M::Result: Send,
{
    /// The recipient that messages are sent to.
    pub fn recipient(&self) -> Recipient<M> {
        self.address.clone().recipient()
    }
}

impl<M: Message + 'static> Debug for Played<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Played").field("calls", &self.calls).finish_non_exhaustive()
    }
}

struct FakeActor<M: Message> {
    calls: Calls,
    rules: Vec<Rule<M>>,
    history: Rc<RefCell<History>>,
}

// No field is pinned.
impl<M: Message> Unpin for FakeActor<M> {}

impl<M: Message + 'static> Actor for FakeActor<M> {
    type Context = Context<Self>;
}

impl<M> Handler<M> for FakeActor<M>
where
    M: Message + Debug + Send + 'static,
    M::Result: Send,
{
    type Result = actix::MessageResult<M>;

    fn handle(&mut self, message: M, _: &mut Context<Self>) -> Self::Result {
        let shown = format!("{message:?}");
        self.history.borrow_mut().note(shown.clone());
        let rule = self.rules.iter_mut().find(|rule| rule.left != Some(0) && (rule.fits)(&message));
        let Some(rule) = rule else {
            let failure = self.history.borrow().failure("no rule of the fake is for this message", Some(&shown));
            panic!("{failure}");
        };
        rule.left = rule.left.map(|left| left - 1);
        self.calls.0.borrow_mut().push(rule.name);
        actix::MessageResult((rule.answer)(&message))
    }
}
