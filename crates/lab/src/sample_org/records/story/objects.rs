//! The objects that the story is about, and what the ids of their records begin with.

use super::super::value::Kind;

macro_rules! kinds {
    ($($name:ident = $object:literal $prefix:literal;)*) => {
        $(pub(super) const $name: &Kind = &Kind { object: $object, prefix: $prefix };)*
        #[cfg(test)]
        const ALL: &[&Kind] = &[$($name),*];
    };
}

kinds! {
    ACCOUNT = "account" "acc";
    ACCOUNT_ADDRESS = "account_address" "adr";
    AFFILIATION = "affiliation" "aff";
    // In no table: the org has assets, and the allowlist doesn't.
    ASSET = "asset" "ast";
    BUSINESS_HOURS = "business_hours" "bhs";
    CALL_DETAIL = "call_detail" "det";
    CALL_PLAN = "call_plan" "cpl";
    CALL_PLAN_TARGET = "call_plan_target" "cpt";
    CALL_REPORT = "call_report" "cal";
    CAMPAIGN = "campaign" "cmp";
    CAMPAIGN_MEMBER = "campaign_member" "cmm";
    CASE = "case" "cas";
    CLM_PRESENTATION = "clm_presentation" "prs";
    CLM_SLIDE = "clm_slide" "sld";
    COMPETITOR_PRODUCT = "competitor_product" "cop";
    CONTACT = "contact" "con";
    CONTACT_CONSENT = "contact_consent" "cns";
    CONTRACT = "contract" "ctr";
    EVENT = "event" "evt";
    HOSPITAL_DEPARTMENT = "hospital_department" "dep";
    INDICATION = "indication" "ind";
    INQUIRY_ANSWER = "inquiry_answer" "ans";
    INVOICE = "invoice" "inv";
    KEY_MESSAGE = "key_message" "msg";
    LEAD = "lead" "led";
    MEDICAL_INQUIRY = "medical_inquiry" "inq";
    OPPORTUNITY = "opportunity" "opp";
    OPPORTUNITY_LINE = "opportunity_line" "opl";
    ORDER = "order" "ord";
    ORDER_LINE = "order_line" "orl";
    PRICE_BOOK = "price_book" "pbk";
    PRODUCT = "product" "prd";
    PRODUCT_FAMILY = "product_family" "fam";
    QUEUE = "queue" "que";
    QUOTE = "quote" "quo";
    SALES_CYCLE = "sales_cycle" "cyc";
    SALES_REGION = "sales_region" "reg";
    SAMPLE_DROP = "sample_drop" "drp";
    SAMPLE_LOT = "sample_lot" "lot";
    SEGMENT = "segment" "seg";
    SHIPMENT = "shipment" "shp";
    SPECIALTY = "specialty" "spc";
    STATE_LICENSE = "state_license" "lic";
    TASK = "task" "tsk";
    TEAM = "team" "tea";
    TERRITORY = "territory" "ter";
    THERAPEUTIC_AREA = "therapeutic_area" "tha";
    USER = "user" "usr";
    USER_ROLE = "user_role" "rol";
    WAREHOUSE = "warehouse" "war";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::ALL;

    #[test]
    fn no_two_objects_share_a_prefix() {
        let prefixes: BTreeSet<&str> = ALL.iter().map(|kind| kind.prefix).collect();
        assert_eq!(prefixes.len(), ALL.len());
    }
}
