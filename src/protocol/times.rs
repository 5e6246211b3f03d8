//! Requests that show the session, now or at another time.

use super::connection::{Connection, to_json};
use super::incoming::{GoRequest, Time};
use super::view::{ViewAnswer, ViewRequest, view};
use crate::command;
use crate::debugger::TimePoint;
use crate::debugger::history::visit;
use serde_json::Value as Json;

/// The time that ends a visit.
const BACK: &str = "back";

impl Connection {
    /// Shows the session.
    pub(super) fn view(&mut self, request: &ViewRequest) -> Result<Json, String> {
        let Some(time) = &request.time else {
            return to_json(self.current_view(request)?);
        };
        let (point, _) = self.point(time)?;
        let before = visit::begin_visit(&mut self.session()?.target);
        visit::visit(&mut self.session()?.target, point);
        let view = self.current_view(request);
        visit::end_visit(&mut self.session()?.target, before);
        to_json(ViewAnswer {
            is_away: true,
            ..view?
        })
    }

    fn current_view(&mut self, request: &ViewRequest) -> Result<ViewAnswer, String> {
        let program_version = self.program_version()?;
        let is_away = self.driver.is_visiting();
        Ok(ViewAnswer {
            program_version,
            is_away,
            ..view(self.session()?, request)
        })
    }

    /// Visits another time, or returns from it.
    pub(super) fn go(&mut self, request: GoRequest) -> Result<Json, String> {
        self.visit(&request.to)?;
        self.view(&ViewRequest {
            parts: request.parts,
            board: request.board,
            time: None,
        })
    }

    pub(super) fn visit(&mut self, time: &Time) -> Result<(), String> {
        if matches!(time, Time::Text(text) if text == BACK) {
            let (driver, session) = self.driven()?;
            driver.end_visit(session);
            return Ok(());
        }
        let (point, line) = self.point(time)?;
        let (driver, session) = self.driven()?;
        driver.visit(session, point, line);
        Ok(())
    }

    /// The position of a time, and the line that goes there.
    fn point(&mut self, time: &Time) -> Result<(TimePoint, String), String> {
        let session = self.session()?;
        if session.predictions.pending.is_some() {
            return Err("a question is open: answer it before going to another time".to_string());
        }
        let text = match time {
            Time::Number(time) => time.to_string(),
            Time::Text(text) => text.clone(),
        };
        let point = command::time_named(session, &text).map_err(|error| error.message)?;
        // A turn or an action is counted from where the user is; its time is the same everywhere.
        let line = match point == TimePoint::at(point.time) {
            true => format!(":goto {}", point.time),
            false => format!(":goto {text}"),
        };
        Ok((point, line))
    }
}
