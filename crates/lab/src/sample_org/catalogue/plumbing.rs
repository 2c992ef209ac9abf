//! What no question is about, and most of what an org has: companions of the business objects,
//! staging areas, master data, logs, settings, setup.

use super::super::spec::{
    Spec, any, bytes, date, datetime, flag, integer, json, link, long_text, parent, pick, text, url,
};
use super::super::values::Values;

/// Objects of one kind.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Family {
    pub(in super::super) members: Members,
    pub(in super::super) own: &'static [Spec],
    /// The fewest and the most fields that are invented besides.
    pub(in super::super) invented: (u32, u32),
    pub(in super::super) queryable: bool,
}

/// Which objects a family has.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Members {
    /// One for each of the first business objects, named after it.
    Companions { of_the_first: usize, suffix: &'static str, label: &'static str },
    /// One for each word.
    Listed { prefix: &'static str, words: &'static [&'static str], suffix: &'static str, label: &'static str },
}

const fn companions(of_the_first: usize, suffix: &'static str, label: &'static str) -> Members {
    Members::Companions { of_the_first, suffix, label }
}

const fn listed(
    prefix: &'static str,
    words: &'static [&'static str],
    suffix: &'static str,
    label: &'static str,
) -> Members {
    Members::Listed { prefix, words, suffix, label }
}

const fn family(members: Members, invented: (u32, u32), own: &'static [Spec]) -> Family {
    Family { members, own, invented, queryable: true }
}

impl Family {
    const fn not_queryable(self) -> Self {
        Self { queryable: false, ..self }
    }
}

pub(in super::super) const FAMILIES: &[Family] = &[
    family(companions(72, "__Share", "Share"), (0, 2), SHARE),
    family(companions(80, "__History", "History"), (0, 2), HISTORY),
    family(companions(58, "__Feed", "Feed"), (0, 2), FEED),
    family(companions(36, "__Tag", "Tag"), (0, 2), TAG),
    family(companions(34, "__ChangeEvent", "Change Event"), (4, 12), CHANGE_EVENT),
    family(companions(20, "_archive_2019", "(Archive 2019)"), (10, 26), ARCHIVE),
    family(listed("erp_staging_", ERP, "", "ERP Staging: "), (10, 26), STAGING),
    family(listed("mdm_", MASTER_DATA, "", "Master Data: "), (8, 22), MASTER),
    family(listed("etl_log_", LOGS, "", "Load Log: "), (2, 8), LOG).not_queryable(),
    family(listed("", SETTINGS, "_settings__mdt", "Settings: "), (1, 7), SETTING),
    family(listed("", SETUP, "", ""), (1, 6), SYSTEM_OBJECT),
];

const SHARE: &[Spec] = &[
    parent("parent", "Record").required(),
    link("shared_with", "Shared With", &["user", "queue", "public_group"]).required(),
    pick("access_level", "Access Level", Values::Levels),
    pick("row_cause", "Row Cause", Values::Reasons),
];

const HISTORY: &[Spec] = &[
    parent("parent", "Record").required(),
    pick("changed_field", "Changed Field", Values::Fields).required(),
    pick("data_type", "Data Type", Values::Levels),
    any("old_value", "Old Value"),
    any("new_value", "New Value"),
];

const FEED: &[Spec] = &[
    parent("parent", "Record").required(),
    pick("kind", "Kind", Values::Categories),
    text("title", "Title", 255),
    long_text("body", "Body", 10_000),
    link("best_comment", "Best Comment", &["feed_comment"]),
    integer("likes", "Likes"),
    integer("comments", "Comments"),
    url("link", "Link"),
];

const TAG: &[Spec] = &[
    parent("item", "Record").required(),
    link("definition", "Tag Definition", &["tag_definition"]).required(),
    text("name", "Tag", 80),
    pick("visibility", "Visibility", Values::Levels),
];

const CHANGE_EVENT: &[Spec] = &[
    text("replay_id", "Replay ID", 40).required(),
    json("change_header", "Change Event Header"),
    parent("record", "Record"),
];

const ARCHIVE: &[Spec] = &[
    text("name", "Name When Archived", 255),
    parent("restored_as", "Restored As"),
    datetime("archived_at", "Archived"),
    pick("archived_because", "Reason", Values::Reasons),
];

const STAGING: &[Spec] = &[
    text("external_key", "External Key", 80).required().unique(),
    link("target_account", "Matched Account", &["account", "legacy_account"]),
    json("payload", "Row as Delivered"),
    pick("load_status", "Load Status", Values::Statuses),
    long_text("load_error", "Load Error", 32_000),
    pick("plant", "Plant", Values::Cities),
];

const MASTER: &[Spec] = &[
    text("golden_key", "Golden Key", 80).required().unique(),
    link("survivor", "Surviving Record", &["account", "contact"]),
    pick("source", "Source", Values::Channels),
    pick("steward", "Data Steward", Values::People),
    integer("confidence", "Confidence"),
];

const LOG: &[Spec] = &[
    text("run", "Run", 40).required(),
    datetime("started_at", "Started"),
    integer("rows_read", "Rows Read"),
    integer("rows_rejected", "Rows Rejected"),
    bytes("log_file", "Log File"),
    pick("result", "Result", Values::Statuses),
];

const SETTING: &[Spec] = &[
    text("developer_name", "Developer Name", 40).required().unique(),
    flag("protected", "Protected"),
    pick("profile", "Applies To", Values::Categories),
    json("value", "Value"),
];

const SYSTEM_OBJECT: &[Spec] = &[
    text("developer_name", "Developer Name", 80).required(),
    text("namespace_prefix", "Namespace Prefix", 15),
    flag("is_active", "Active"),
    link("default_owner", "Default Owner", &["user"]),
    date("effective_from", "Effective From"),
];

const ERP: &[&str] = &[
    "batch",
    "bill_of_material",
    "bonus",
    "cash_discount",
    "condition_record",
    "cost_centre",
    "credit_note",
    "customer",
    "customer_address",
    "customer_block",
    "customer_group",
    "delivery",
    "dunning_notice",
    "goods_issue",
    "handling_unit",
    "invoice_header",
    "invoice_item",
    "material",
    "material_price",
    "open_item",
    "payment_terms",
    "plant_stock",
    "purchase_order",
    "return_delivery",
    "sales_order_header",
    "sales_order_item",
    "tax_code",
    "trade_partner",
    "transport_order",
    "vendor",
];

const MASTER_DATA: &[&str] = &[
    "address_candidate",
    "affiliation_candidate",
    "brick",
    "cluster",
    "country_code",
    "duplicate_group",
    "email_candidate",
    "hco_source",
    "hco_survivor",
    "hcp_source",
    "hcp_survivor",
    "identifier",
    "licence_source",
    "match_rule",
    "merge_request",
    "organisation_chart",
    "phone_candidate",
    "postal_code",
    "reject",
    "specialty_map",
    "steward_queue",
    "survivorship_rule",
    "territory_map",
    "validation_result",
];

const LOGS: &[&str] = &[
    "account_load",
    "call_export",
    "consent_sync",
    "contact_load",
    "formulary_import",
    "goal_import",
    "order_export",
    "price_import",
    "sales_import",
    "sample_sync",
    "territory_load",
    "user_provisioning",
];

const SETTINGS: &[&str] = &[
    "address_check",
    "approval",
    "call_reporting",
    "consent_capture",
    "currency",
    "email_footer",
    "goal_rollup",
    "integration",
    "mobile_layout",
    "offline_sync",
    "order_entry",
    "password",
    "sample_signature",
    "safety_report",
    "search",
    "survey_delivery",
    "time_zone",
    "travel_expense",
];

const SETUP: &[&str] = &[
    "access_policy",
    "approval_process",
    "approval_step",
    "asset",
    "assignment_rule",
    "auth_provider",
    "background_job",
    "brand_theme",
    "calendar",
    "certificate",
    "content_document",
    "content_folder",
    "content_version",
    "cron_trigger",
    "currency_rate",
    "custom_label",
    "custom_permission",
    "dashboard",
    "dashboard_component",
    "data_export",
    "delegate_group",
    "duplicate_rule",
    "email_domain",
    "email_template",
    "entity_definition",
    "escalation_rule",
    "event_log_file",
    "external_source",
    "feed_comment",
    "field_definition",
    "field_permission",
    "fiscal_year_period",
    "flow_definition",
    "flow_interview",
    "group_member",
    "holiday",
    "home_page",
    "installed_package",
    "knowledge_category",
    "layout",
    "list_view",
    "login_history",
    "login_ip",
    "milestone",
    "named_credential",
    "notification_type",
    "oauth_token",
    "object_permission",
    "organisation",
    "page_template",
    "permission_set",
    "platform_cache",
    "process_node",
    "public_group",
    "record_type",
    "remote_site",
    "report",
    "sandbox",
    "session_record",
    "tag_definition",
    "translation",
];
