//! Planning: territories, cycles, targets, and what was sold in them.

use super::super::spec::{date, decimal, flag, integer, link, money, percent, pick, text};
use super::super::values::Values;
use super::{Business, CURRENCY, REP, business};

pub(super) const OBJECTS: &[Business] = &[
    business("territory", "Territory", 39).with(&[
        text("name", "Territory", 80).required(),
        link("parent", "Parent Territory", &["territory"]),
        link("region", "Sales Region", &["sales_region"]),
        link("manager", "Territory Manager", &["user"]),
        link("deputy", "Deputy", &["user"]),
        link("team", "Sales Team", &["team"]),
        pick("brick", "Brick", Values::Territories),
        integer("headcount", "Reps").calculated(),
        decimal("workload", "Workload Index").calculated(),
    ]),
    business("territory_assignment", "Territory Assignment", 15).with(&[
        text("name", "Assignment Number", 30),
        link("territory", "Territory", &["territory"]).required(),
        link("assigned", "Assigned", &["user", "account", "contact"]).required(),
        date("valid_from", "From"),
        date("valid_until", "Until"),
    ]),
    business("sales_region", "Sales Region", 12).with(&[
        text("name", "Region", 80).required(),
        link("head", "Head of Region", &["user"]),
        pick("country", "Country", Values::Countries),
    ]),
    business("sales_cycle", "Sales Cycle", 11).with(&[
        text("name", "Cycle", 80).required(),
        date("starts", "Start").required(),
        date("ends", "End").required(),
        integer("working_days", "Working Days"),
    ]),
    business("call_plan", "Call Plan", 32).with(&[
        text("name", "Plan Number", 30).required(),
        REP,
        link("territory", "Territory", &["territory"]).required(),
        link("sales_cycle", "Cycle", &["sales_cycle"]).required(),
        link("approved_by", "Approved By", &["user"]),
        percent("attainment", "Attainment").calculated(),
        pick("status", "Status", Values::Statuses),
    ]),
    business("call_plan_target", "Call Plan Target", 23).with(&[
        text("name", "Target Number", 30),
        link("call_plan", "Plan", &["call_plan"]).required(),
        link("contact", "Target", &["contact"]).required(),
        link("account", "Seen At", &["account"]),
        link("product", "Product", &["product"]),
        link("segment", "Segment", &["segment"]),
        integer("planned", "Visits Planned"),
        integer("done", "Visits Done").calculated(),
    ]),
    business("sales_goal", "Sales Goal", 25).with(&[
        text("name", "Goal Number", 30),
        link("rep", "Rep", &["user"]),
        link("territory", "Territory", &["territory"]),
        link("product_family", "Product Family", &["product_family"]),
        money("target", "Target"),
        money("reached", "Reached").calculated(),
        CURRENCY,
    ]),
    business("incentive_plan", "Incentive Plan", 30).with(&[
        text("name", "Plan", 80).required(),
        link("role", "For Role", &["user_role"]),
        link("team", "For Team", &["team"]),
        link("sales_cycle", "Cycle", &["sales_cycle"]),
        link("signed_off_by", "Signed Off By", &["user"]),
        money("pay_at_target", "Pay at Target"),
        money("cap", "Cap"),
        CURRENCY,
        flag("published", "Published"),
    ]),
    business("sales_fact", "Sales Figure", 52).with(&[
        text("name", "Figure Number", 30),
        link("account", "Account", &["account"]),
        link("product", "Product", &["product"]).required(),
        link("territory", "Territory", &["territory"]),
        date("period", "Period").required(),
        integer("units", "Units"),
        money("net_sales", "Net Sales"),
        percent("growth", "Growth on Last Year").calculated(),
        CURRENCY,
    ]),
];
