//! Diagnostics as a person reads them in a terminal.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Severity, visible};

/// The diagnostic as text, with the lines of the configuration file that it is about.
pub(super) fn diagnostic(diagnostic: &Diagnostic, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(visible(&diagnostic.message)));
    if let Some(place) = &diagnostic.place {
        let file = visible(&place.file);
        group = match (&place.excerpt, place.position) {
            (Some(excerpt), _) => group.element(
                Snippet::source(excerpt.text.as_ref())
                    .path(file)
                    .annotation(AnnotationKind::Primary.span(excerpt.span.clone())),
            ),
            (None, Some(position)) => group.element(
                Origin::path(file).line(position.line as usize).char_column(position.column as usize),
            ),
            (None, None) => group.element(Origin::path(file)),
        };
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(visible(help)));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}
