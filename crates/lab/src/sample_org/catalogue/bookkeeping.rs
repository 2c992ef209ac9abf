//! The fields that systems keep for themselves: no question needs them, and the committed
//! blocklist removes them all.

use super::super::spec::{Spec, any, datetime, flag, integer, json, link, long_text, pick, text};
use super::super::values::Values;

/// On every object.
pub(in super::super) const SYSTEM: &[Spec] = &[
    link("created_by", "Created By", &["user"]).required(),
    datetime("created_date", "Created Date").required(),
    link("modified_by", "Last Modified By", &["user"]).required(),
    datetime("modified_date", "Last Modified Date").required(),
    datetime("system_modstamp", "System Modstamp").required(),
    flag("is_deleted", "Deleted").required(),
];

/// Besides, on every business object.
pub(in super::super) const AUDIT: &[Spec] = &[
    integer("system_row_version", "Row Version").required(),
    datetime("last_viewed_date", "Last Viewed Date"),
    datetime("last_referenced_date", "Last Referenced Date"),
    flag("is_locked", "Locked"),
    flag("may_edit", "May Edit"),
    text("sync_token", "Sync Token", 64),
    pick("audit_source_system", "Source System", Values::Channels),
    link("audit_reviewed_by", "Audited By", &["user"]),
    long_text("audit_trail", "Audit Trail", 131_072),
    text("etl_batch", "Load Batch", 40),
    text("mdm_golden_id", "Golden Record", 40),
    pick("mdm_steward", "Data Steward", Values::People),
    json("record_share", "Sharing Rules"),
    any("owner_history", "Owner History"),
    long_text("activity_feed", "Activity Feed", 32_000),
    pick("topic_tag", "Topic Tags", Values::Categories),
    pick("zz_old_status", "DO NOT USE (Status)", Values::Statuses),
    text("import_key__old", "Import Key (Old)", 80),
];
