//! What is shown and left behind on a visit: details of products, and samples.

use super::Story;
use super::company::Company;
use super::objects::{CALL_DETAIL, SAMPLE_DROP};
use super::range::{Brand, Range};
use super::visits::{Visit, signature};

/// Records details and samples of completed visits.
pub(super) fn leave(story: &mut Story, company: &Company, range: &Range, visits: &[Visit]) {
    let mut rng = story.rng("samples");
    let brands: Vec<&Brand> = range.brands.iter().collect();
    // A region has its focus: what it shows comes from half of the brands.
    let per_region = company.regions.first().map_or(1, |region| region.districts.len());
    for visit in visits.iter().filter(|visit| visit.completed) {
        let first = visit.territory / per_region * brands.len() / company.regions.len();
        let focus: Vec<&Brand> = brands.iter().cycle().skip(first).take(brands.len() / 2).copied().collect();
        let mut shown: Vec<&Brand> = Vec::new();
        let details = if rng.chance(45) { 2 } else { 1 };
        while shown.len() < details {
            let brand = rng.pick(&focus);
            if !shown.iter().any(|other| other.family == brand.family) {
                shown.push(brand);
            }
        }
        for (brand, position) in shown.iter().zip(1_i64..) {
            let presented = rng.chance(55).then_some(brand.presentation);
            let row = story.add(CALL_DETAIL, visit.start.plus(visit.minutes));
            row.set("name", row.id.numbered("CD"))
                .set("call_report", visit.id)
                .set("product", rng.choose(&brand.packs).map(|pack| pack.id))
                .set("presentation", presented)
                .set("position", position)
                .set("reaction", rng.pick(&["high", "medium", "medium", "low", "pending"]));
        }
        if let Some(brand) = shown.first()
            && let Some(licence) = visit.licence
            && rng.chance(50)
        {
            let signed = visit.start.plus(visit.minutes - 2);
            let row = story.add(SAMPLE_DROP, signed);
            row.set("name", row.id.numbered("SD"))
                .set("owner", visit.rep)
                .set("call_report", visit.id)
                .set("contact", visit.contact)
                .set("account", visit.account)
                .set("lot", brand.lot(visit.start.day()))
                .set("product", brand.sample)
                .set("license", licence)
                .set("quantity", rng.between(1, 6))
                .set("signature", signature(rng.chance(3), &mut rng))
                .set("signed_at", signed);
        }
    }
}
