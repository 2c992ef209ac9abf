//! Service, and the people of the company itself.

use super::super::spec::{
    bytes, date, datetime, email, flag, integer, link, long_text, money, phone, pick, picks, text, time, url,
};
use super::super::values::Values;
use super::{Business, CURRENCY, OWNER, REP, business};

pub(super) const OBJECTS: &[Business] = &[
    business("case", "Case", 62).with(&[
        text("case_number", "Case Number", 30).required().unique(),
        OWNER,
        link("account", "Account", &["account"]),
        link("contact", "Contact", &["contact"]),
        link("product", "Product", &["product"]),
        link("order", "Order", &["order"]),
        link("parent_case", "Parent Case", &["case"]),
        link("opening_hours", "Business Hours", &["business_hours"]),
        text("subject", "Subject", 255),
        pick("status", "Status", Values::Statuses).required(),
        pick("priority", "Priority", Values::Levels),
        pick("origin", "Origin", Values::Channels),
        datetime("closed_at", "Closed"),
        flag("is_escalated", "Escalated"),
        long_text("description", "Description", 32_000),
    ]),
    business("expense_report", "Expense Report", 28).with(&[
        text("name", "Report Number", 30).required(),
        REP,
        link("claimant", "Claimed By", &["user"]).required(),
        link("approver", "Approved By", &["user"]),
        link("call_report", "For Visit", &["call_report"]),
        money("total", "Total").calculated(),
        CURRENCY,
        date("period_end", "Period End"),
        bytes("receipts", "Receipts"),
    ]),
    business("user", "User", 93).with(&[
        text("name", "Full Name", 121).required(),
        link("manager", "Manager", &["user"]),
        link("delegated_approver", "Deputy", &["user"]),
        link("role", "Role", &["user_role"]),
        link("team", "Team", &["team"]),
        link("home_territory", "Home Territory", &["territory"]),
        link("region", "Region", &["sales_region"]),
        text("username", "User Name", 80).required().unique(),
        text("employee_number", "Personnel Number", 20).unique(),
        email("email", "E-Mail").required(),
        phone("mobile", "Mobile"),
        pick("language", "Language", Values::Languages),
        picks("trained_for", "Trained For", Values::Products),
        flag("is_active", "Active"),
        datetime("last_login_at", "Last Login"),
        date("hired", "Joined"),
        url("photo", "Photo"),
    ]),
    business("queue", "Queue", 9).with(&[
        text("name", "Queue", 80).required(),
        email("email", "Queue E-Mail"),
        flag("notify_members", "Notify Members"),
    ]),
    business("user_role", "Role", 8).with(&[
        text("name", "Role", 80).required(),
        link("parent_role", "Reports To", &["user_role"]),
        integer("rank", "Rank"),
    ]),
    business("team", "Team", 11).with(&[
        text("name", "Team", 80).required(),
        link("lead", "Team Lead", &["user"]),
        link("parent_team", "Part Of", &["team"]),
    ]),
    business("business_hours", "Business Hours", 16).with(&[
        text("name", "Name", 80).required(),
        flag("is_default", "Default"),
        pick("time_zone", "Time Zone", Values::Cities),
        time("monday_from", "Monday From"),
        time("monday_until", "Monday Until"),
        time("friday_until", "Friday Until"),
    ]),
];
