//! The closed graph: objects, and references that all lead to one of them.

use std::fmt;

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::{Field, FieldType, LONGEST_NAME, Object};

/// A set of objects closed under reference: whatever a field points at is in the set.
///
/// ```
/// use portolan_schema::{ClosedSchema, Field, FieldType, Object};
/// let account = Object { name: "account".into(), ..Object::default() };
/// let owner = Field { references: vec!["account".into()], ..Field::new("account", FieldType::Reference) };
/// let contact = Object { name: "contact".into(), fields: vec![owner], ..Object::default() };
/// let schema = ClosedSchema::new(vec![contact, account])?;
/// assert_eq!(schema.referenced_by("account")[0].to_string(), "contact.account");
/// # Ok::<_, Vec<portolan_schema::Violation>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClosedSchema {
    objects: Vec<Object>,
    referenced_by: Vec<Vec<BackReference>>,
}

/// A field of another object (or of the same one) that points here. Written `object.field`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BackReference {
    /// The object whose field it is.
    pub object: String,
    /// The field.
    pub field: String,
}

impl fmt::Display for BackReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.object, self.field)
    }
}

/// What keeps a set of objects from being a [`ClosedSchema`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// An object with an empty name.
    #[error("an object has no name")]
    UnnamedObject,
    /// A name of an object or a field longer than [`LONGEST_NAME`].
    #[error("the name '{}…' has {} bytes; {LONGEST_NAME} are the most", .0.chars().take(40).collect::<String>(), .0.len())]
    NameTooLong(String),
    /// Two objects of one name.
    #[error("object '{0}' is there twice")]
    DuplicateObject(String),
    /// Two fields of one name.
    #[error("field '{1}' is twice in object '{0}'")]
    DuplicateField(String, String),
    /// A field name that paths can't be written with.
    #[error("field name '{1}' of object '{0}' can't be written in a path")]
    UnsafeFieldName(String, String),
    /// A reference to an object that isn't in the set.
    #[error("'{0}.{1}' points at '{2}', which isn't there")]
    DanglingReference(String, String, String),
    /// Targets out of order, or repeated.
    #[error("the targets of '{0}.{1}' are not in ascending order")]
    UnorderedTargets(String, String),
    /// A field of type reference without a target: it should be a plain id.
    #[error("'{0}.{1}' is a reference without a target")]
    ReferenceToNothing(String, String),
    /// An id, name or currency field that the object doesn't have.
    #[error("object '{0}' names '{1}' as its {2} field, but has no such field")]
    MissingRole(String, String, &'static str),
}

impl ClosedSchema {
    /// Orders the objects and their fields by name, checks that the set is closed, and computes
    /// the back references from the references.
    ///
    /// Every violation is returned, in the order of the objects.
    pub fn new(mut objects: Vec<Object>) -> Result<Self, Vec<Violation>> {
        objects.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        for object in &mut objects {
            object.fields.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        }
        let violations = check(&objects);
        if !violations.is_empty() {
            return Err(violations);
        }
        let graph = graph(&objects);
        let referenced_by = graph.node_indices().map(|target| incoming(&graph, &objects, target)).collect();
        Ok(Self { objects, referenced_by })
    }

    /// The objects, in ascending order of name.
    #[must_use]
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The object of that exact name.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects.get(position(&self.objects, name)?)
    }

    /// The fields that point at that object, ascending; none where there is no such object.
    #[must_use]
    pub fn referenced_by(&self, name: &str) -> &[BackReference] {
        position(&self.objects, name).and_then(|at| self.referenced_by.get(at)).map_or(&[], Vec::as_slice)
    }

    /// Every object beside the fields that point at it, in ascending order of name.
    pub fn iter(&self) -> impl Iterator<Item = (&Object, &[BackReference])> {
        self.objects.iter().zip(self.referenced_by.iter().map(Vec::as_slice))
    }

    /// The number of edges: a field that may point at three objects counts three.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.referenced_by.iter().map(Vec::len).sum()
    }

    /// Follows a path of field names from an object to a field: `region`, `account.region`,
    /// `owner[user].email`. Each field but the last must be a reference; one with several targets
    /// takes the intended one in brackets.
    pub fn resolve_path<'s>(
        &'s self,
        object: &str,
        path: &str,
    ) -> Result<(&'s Object, &'s Field), PathProblem> {
        let mut object = self.object(object).ok_or_else(|| PathProblem::NoObject(object.to_owned()))?;
        let mut steps = path.split('.').peekable();
        while let Some(step) = steps.next() {
            let (name, explicit) = match step.strip_suffix(']').and_then(|step| step.split_once('[')) {
                Some((name, target)) => (name, Some(target)),
                None => (step, None),
            };
            let field = object.field(name).ok_or_else(|| PathProblem::NoField {
                object: object.name.clone(),
                field: name.to_owned(),
            })?;
            if steps.peek().is_none() && explicit.is_none() {
                return Ok((object, field));
            }
            let target = match (explicit, field.references.as_slice()) {
                (Some(explicit), targets) if targets.iter().any(|target| target == explicit) => explicit,
                (None, [only]) => only,
                (_, targets) => {
                    return Err(PathProblem::NoSuchHop {
                        object: object.name.clone(),
                        field: name.to_owned(),
                        targets: targets.to_vec(),
                    });
                }
            };
            object = self.object(target).ok_or_else(|| PathProblem::NoObject(target.to_owned()))?;
        }
        Err(PathProblem::NoField { object: object.name.clone(), field: String::new() })
    }
}

/// Why a path leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    /// It starts at an object that isn't there.
    #[error("there is no object '{0}'")]
    NoObject(String),
    /// A step names a field that the object doesn't have.
    #[error("object '{object}' has no field '{field}'")]
    NoField {
        /// Where the step was taken.
        object: String,
        /// The name that wasn't found; empty where the path ends at an object.
        field: String,
    },
    /// A step that isn't the last names no reference, or one with several targets and no choice.
    #[error("'{object}.{field}' doesn't lead to one object: {}", hop_hint(field, targets))]
    NoSuchHop {
        /// Where the step was taken.
        object: String,
        /// The field.
        field: String,
        /// What it may point at.
        targets: Vec<String>,
    },
}

fn hop_hint(field: &str, targets: &[String]) -> String {
    match targets.first() {
        None => "it is not a reference".to_owned(),
        Some(first) => format!("it points at {}; write '{field}[{first}]'", targets.join(", ")),
    }
}

fn position(objects: &[Object], name: &str) -> Option<usize> {
    objects.binary_search_by(|object| object.name.as_str().cmp(name)).ok()
}

/// A node an object (its index is the object's), an edge a target of a field (its weight is the
/// field's index in the pointing object).
fn graph(objects: &[Object]) -> DiGraph<(), usize> {
    let edges = objects.iter().map(|object| object.fields.len()).sum();
    let mut graph = DiGraph::with_capacity(objects.len(), edges);
    for _ in objects {
        graph.add_node(());
    }
    for (from, object) in objects.iter().enumerate() {
        for (at, field) in object.fields.iter().enumerate() {
            for to in field.references.iter().filter_map(|target| position(objects, target)) {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), at);
            }
        }
    }
    graph
}

fn incoming(graph: &DiGraph<(), usize>, objects: &[Object], target: NodeIndex) -> Vec<BackReference> {
    let mut found: Vec<BackReference> = graph
        .edges_directed(target, Direction::Incoming)
        .filter_map(|edge| {
            let object = objects.get(edge.source().index())?;
            let field = object.fields.get(*edge.weight())?;
            Some(BackReference { object: object.name.clone(), field: field.name.clone() })
        })
        .collect();
    found.sort_unstable();
    found
}

fn check(objects: &[Object]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for pair in objects.windows(2) {
        if let [a, b] = pair
            && a.name == b.name
        {
            violations.push(Violation::DuplicateObject(a.name.clone()));
        }
    }
    for object in objects {
        if object.name.is_empty() {
            violations.push(Violation::UnnamedObject);
        }
        let names = std::iter::once(&object.name).chain(object.fields.iter().map(|field| &field.name));
        violations.extend(
            names.filter(|name| name.len() > LONGEST_NAME).map(|name| Violation::NameTooLong(name.clone())),
        );
        for (role, field) in [("id", &object.id_field), ("name", &object.name_field)] {
            if let Some(field) = field.as_deref().filter(|field| object.field(field).is_none()) {
                violations.push(Violation::MissingRole(object.name.clone(), field.to_owned(), role));
            }
        }
        for pair in object.fields.windows(2) {
            if let [a, b] = pair
                && a.name == b.name
            {
                violations.push(Violation::DuplicateField(object.name.clone(), a.name.clone()));
            }
        }
        for field in &object.fields {
            check_field(objects, object, field, &mut violations);
        }
    }
    violations
}

fn check_field(objects: &[Object], object: &Object, field: &Field, violations: &mut Vec<Violation>) {
    let names = || (object.name.clone(), field.name.clone());
    if !Field::is_path_safe(&field.name) {
        let (object, field) = names();
        violations.push(Violation::UnsafeFieldName(object, field));
    }
    if field.field_type == FieldType::Reference && field.references.is_empty() {
        let (object, field) = names();
        violations.push(Violation::ReferenceToNothing(object, field));
    }
    if !field.references.is_sorted_by(|a, b| a < b) {
        let (object, field) = names();
        violations.push(Violation::UnorderedTargets(object, field));
    }
    for target in field.references.iter().filter(|target| position(objects, target).is_none()) {
        let (object, field) = names();
        violations.push(Violation::DanglingReference(object, field, target.clone()));
    }
    if let Some(code) = field.currency_field.as_deref().filter(|code| object.field(code).is_none()) {
        violations.push(Violation::MissingRole(object.name.clone(), code.to_owned(), "currency code"));
    }
}
