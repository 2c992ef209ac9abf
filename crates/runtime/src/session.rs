//! One conversation: what was sent in it, and the calls that it makes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_timer::Delay;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Either, Ready, join_all, ready, select};
use portolan_schema::nearest::nearest;
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::answer::{Answer, MOST_ECHO, Problems};
use crate::arguments::{Arguments, members};
use crate::caller::Caller;
use crate::definitions::{self, Dialect};
use crate::json::clip;
use crate::limits::Limits;
use crate::query::check::Check;
use crate::query::wanted::Wanted;
use crate::render::Rendering;
use crate::schema::{CallerError, Schema};
use crate::sent::Sent;
use crate::source::{RecordSource, SourceError};
use crate::tool::Tool;
use crate::tools::Asked;
use crate::view::{Found, View};
use crate::{answer, tools};

/// A conversation of one caller.
///
/// It may be shared between tasks. Its state is the Set of what was sent, a bit an object.
pub struct Session {
    schema: Schema,
    caller: Arc<Caller>,
    rendering: Rendering,
    records: Option<Box<Records>>,
    sent: Mutex<Sent>,
}

/// Where a conversation's records come from.
struct Records {
    source: Arc<dyn RecordSource>,
    limits: Limits,
    /// How many calls may be answered at once.
    turns: Semaphore,
}

/// A tool call, as a model makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool's name.
    pub tool: String,
    /// Its arguments: a JSON object.
    pub arguments: Value,
}

/// An answer that is there already, or one that waits for records.
type Begun<'a> = Either<Ready<Answer>, BoxFuture<'a, Answer>>;

impl Call {
    /// A call of a tool.
    #[must_use]
    pub fn new(tool: impl Into<String>, arguments: Value) -> Self {
        Self { tool: tool.into(), arguments }
    }
}

/// What an answer says where code failed, not the caller.
const DEFECT: &str = "This call failed by a defect of the tool, not by its arguments. Don't repeat it: go on \
                      without it, and say what could not be read.";
const NO_SOURCE: &str = "query_records unavailable: no record source is attached. Answer from the schema, or say \
                         that records can't be read here.";
const DAMAGED: &str = "The schema is damaged, and records can't be read by it. Don't ask again: say so.";
const TOO_SLOW: &str =
    "The query took longer than it may, and was stopped. Narrow it with where, or ask for less.";
const UNREADABLE: &str = "The records can't be read at the moment. Try once more; if it fails again, say that they \
                          can't be read.";
const NO_PROFILE: &str = "Nothing can be read any more: the permissions of this conversation were withdrawn. \
                          Call no more tools, and say so.";

impl Session {
    pub(crate) fn new(schema: Schema, caller: Arc<Caller>, view: Arc<View>) -> Self {
        Self {
            schema,
            caller,
            rendering: Rendering::default(),
            records: None,
            sent: Mutex::new(Sent::new(view)),
        }
    }

    /// The same conversation with schemas written that way from now on.
    #[must_use]
    pub fn rendering(mut self, rendering: Rendering) -> Self {
        self.rendering = rendering;
        self
    }

    /// The same conversation with records to ask for.
    #[must_use]
    pub fn source(self, source: Arc<dyn RecordSource>) -> Self {
        self.source_within(source, Limits::default())
    }

    /// The same conversation with records to ask for, within limits of the host's.
    #[must_use]
    pub fn source_within(mut self, source: Arc<dyn RecordSource>, limits: Limits) -> Self {
        let limits = limits.sensible();
        let turns = Semaphore::new(limits.queries.min(Semaphore::MAX_PERMITS));
        self.records = Some(Box::new(Records { source, limits, turns }));
        self
    }

    /// Who asks.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Answers one tool call. Whatever is wrong with it is said in the answer: this never fails, and
    /// never panics.
    ///
    /// ```
    /// # use futures_executor::block_on;
    /// # use portolan_runtime::{Caller, Schema};
    /// # let schema = Schema::open(std::fs::read("../../artifacts/schema.msgpack")?)?;
    /// # let session = schema.session(Caller::new().profile("rep"))?;
    /// let misspelt = serde_json::json!({"objects": ["ordr"]});
    /// let answer = block_on(session.call("get_object_schema", &misspelt));
    /// assert!(answer.is_error());
    /// assert!(answer.as_str().starts_with(r#"{"error":"Unknown object 'ordr'. Call list_objects first.""#));
    /// assert!(answer.as_str().contains(r#""unknown":{"ordr":["order","order_line"]}"#));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub async fn call(&self, tool: &str, arguments: &Value) -> Answer {
        self.begin(tool, arguments).await
    }

    /// Answers every call of one model turn, concurrently, in the order of the calls. Of two calls
    /// that ask for the same schema the first one carries it.
    pub async fn call_all(&self, calls: &[Call]) -> Vec<Answer> {
        join_all(calls.iter().map(|call| self.begin(&call.tool, &call.arguments)).collect::<Vec<_>>()).await
    }

    /// Forgets that those objects were sent: the host calls it for what it cut out of the conversation,
    /// because a Set that outlives the text it points to would lie. Names are understood as they are in
    /// calls, and how many were is returned.
    pub fn forget<S: AsRef<str>>(&self, objects: impl IntoIterator<Item = S>) -> usize {
        let mut sent = self.sent();
        let mut known = 0;
        for name in objects {
            if let Found::Exactly(at) | Found::Meant(at) = sent.view().find(name.as_ref().trim()) {
                sent.remove(at);
                known += 1;
            }
        }
        known
    }

    /// The tools' definitions for a provider, as JSON text: what they do, when not to call them, and
    /// their arguments' schemas. The same for every caller of one profile and artifact. None, where the
    /// caller's profile is gone.
    #[must_use]
    pub fn tool_definitions(&self, dialect: Dialect) -> String {
        let definitions = self
            .current()
            .map(|sent| definitions::of(sent.view(), self.records.as_deref().map(|records| &records.limits)))
            .unwrap_or_default();
        definitions::write(&definitions, dialect)
    }

    /// What answers without waiting does so here and now, so that the Set is asked in call order.
    fn begin<'a>(&'a self, tool: &str, arguments: &'a Value) -> Begun<'a> {
        let begun = catch_unwind(AssertUnwindSafe(|| self.dispatch(tool, arguments)));
        begun.unwrap_or_else(|_| Begun::Left(ready(Answer::error(DEFECT))))
    }

    fn dispatch<'a>(&'a self, tool: &str, arguments: &'a Value) -> Begun<'a> {
        let done = |answer: Answer| Begun::Left(ready(answer));
        let Ok(tool) = tool.parse::<Tool>() else { return done(self.unknown_tool(tool)) };
        let members = match members(tool, arguments) {
            Ok(members) => members,
            Err(problem) => return done(answer::refusal(&problem.into(), tool.undone())),
        };
        let mut arguments = Arguments::read(tool, &members);
        match tool {
            Tool::ListObjects => done(match self.current() {
                Ok(sent) => tools::list_objects(sent.view(), &mut arguments),
                Err(_) => Answer::error(NO_PROFILE),
            }),
            Tool::GetObjectSchema => done(match self.current() {
                Ok(mut sent) => tools::get_object_schema(&mut sent, self.rendering, &mut arguments),
                Err(_) => Answer::error(NO_PROFILE),
            }),
            Tool::QueryRecords => {
                let Some(records) = self.records.as_deref() else { return done(Answer::error(NO_SOURCE)) };
                // A query waits for its source, so it keeps the view and lets go of the Set.
                let view = match self.current() {
                    Ok(sent) => sent.view().clone(),
                    Err(_) => return done(Answer::error(NO_PROFILE)),
                };
                let wanted = Wanted::read(&mut arguments);
                let problems = std::mem::take(&mut arguments.problems);
                let answered = records.answer(view, &self.caller, wanted, problems);
                let shielded = AssertUnwindSafe(answered).catch_unwind();
                Begun::Right(Box::pin(
                    shielded.map(|answer| answer.unwrap_or_else(|_| Answer::error(DEFECT))),
                ))
            }
        }
    }

    fn unknown_tool(&self, name: &str) -> Answer {
        let defined = Tool::ALL.iter().filter(|tool| self.records.is_some() || **tool != Tool::QueryRecords);
        let names: Vec<&str> = defined.map(|tool| tool.name()).collect();
        let meant = nearest(&clip(name, MOST_ECHO), names.iter().copied(), 1);
        let next = match meant.first() {
            Some(meant) => format!("Call {meant}."),
            None => format!("There are {}.", names.join(", ")),
        };
        Answer::error(&format!("Unknown tool '{}'. {next}", clip(name, MOST_ECHO)))
    }

    /// The Set, over what the caller sees now. Held for the whole of an answer, which is therefore of
    /// one artifact, and in which no other call can claim the same schema.
    fn current(&self) -> Result<MutexGuard<'_, Sent>, CallerError> {
        let mut sent = self.sent();
        if sent.view().generation != self.schema.generation() {
            let view = self.schema.view(&self.caller)?;
            if view.generation != sent.view().generation {
                sent.carry_to(view);
            }
        }
        Ok(sent)
    }

    /// A panic leaves the Set as it was before that call: it is changed when an answer is complete.
    fn sent(&self) -> MutexGuard<'_, Sent> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Records {
    /// Checks a query and answers it, when it is its turn and within the time that it has.
    async fn answer(&self, view: Arc<View>, caller: &Caller, wanted: Wanted, problems: Problems) -> Answer {
        let (Some(schema), Some(everything)) = (view.seen(), view.everything()) else {
            return Answer::error(DAMAGED);
        };
        let source = self.source.as_ref();
        let check = Check::new(schema, everything, view.profile(), caller, source, &self.limits);
        let checked = match check.run(&wanted, problems) {
            Ok(checked) => checked,
            Err(problems) => return answer::refusal(&problems, Tool::QueryRecords.undone()),
        };
        let asked = Asked {
            source,
            schema,
            version: &view.schema,
            content: view.content(),
            caller,
            limits: &self.limits,
            cursor: wanted.cursor,
        };
        let in_turn = async {
            let turn = self.turns.acquire().await;
            let answered = asked.answer(checked).await;
            drop(turn);
            answered
        };
        match within(self.limits.time, in_turn).await {
            Ok(answer) => answer,
            Err(SourceError::TimedOut) => Answer::error(TOO_SLOW),
            Err(SourceError::Failed(cause)) => Answer::error(UNREADABLE).because(cause),
        }
    }
}

/// Answers in time, or drops what was begun. A timer is set only where there is something to wait for.
async fn within(
    time: Duration,
    answering: impl Future<Output = Result<Answer, SourceError>>,
) -> Result<Answer, SourceError> {
    let mut answering = pin!(answering);
    match (&mut answering).now_or_never() {
        Some(answered) => answered,
        None => match select(answering, Delay::new(time)).await {
            Either::Left((answered, _)) => answered,
            Either::Right(_) => Err(SourceError::TimedOut),
        },
    }
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;
    use serde_json::json;

    use super::*;

    fn session() -> Session {
        let schema = Schema::open_file("../../artifacts/schema.msgpack").unwrap();
        schema.session(Caller::new().profile("rep")).unwrap()
    }

    #[test]
    fn a_panic_is_an_answer_and_takes_no_neighbour_along() {
        let session = session();
        let wanted = json!({"objects": ["order_line"]});
        let held = catch_unwind(AssertUnwindSafe(|| {
            let _held = session.sent();
            panic!("a defect");
        }));
        assert!(held.is_err());
        let before = block_on(session.call("get_object_schema", &wanted));
        assert!(before.as_str().contains("\"fieldCount\""), "the lock that was held can be taken again");
    }
}
