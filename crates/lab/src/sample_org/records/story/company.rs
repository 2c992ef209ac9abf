//! The company: who works in it, where, and for whom.

use super::super::super::rng::Rng;
use super::super::super::words::CITIES;
use super::super::calendar::{Day, OPENING, TODAY};
use super::super::value::Id;
use super::Story;
use super::names::{Name, Names, Script};
use super::objects::{BUSINESS_HOURS, QUEUE, SALES_REGION, TEAM, TERRITORY, USER, USER_ROLE};

/// A part of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Land {
    pub(super) name: &'static str,
    pub(super) value: &'static str,
    pub(super) country: &'static str,
    pub(super) currency: &'static str,
    zone: &'static str,
    /// Minutes ahead of UTC.
    pub(super) ahead: i64,
}

pub(super) const LANDS: [Land; 4] = [
    Land {
        name: "Central Europe",
        value: "central_europe",
        country: "germany",
        currency: "EUR",
        zone: "Europe/Berlin",
        ahead: 60,
    },
    Land {
        name: "Mediterranean",
        value: "mediterranean",
        country: "greece",
        currency: "EUR",
        zone: "Europe/Athens",
        ahead: 120,
    },
    Land {
        name: "North America",
        value: "north_america",
        country: "united_states",
        currency: "USD",
        zone: "America/New_York",
        ahead: -300,
    },
    Land {
        name: "Asia Pacific",
        value: "asia_pacific",
        country: "india",
        currency: "USD",
        zone: "Asia/Kolkata",
        ahead: 330,
    },
];

/// Territories that reps work in, a region; and reps, a territory.
const DISTRICTS: usize = 6;
const REPS: u32 = 3;

/// A sales region with those who work for all of it.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) land: Land,
    pub(super) id: Id,
    pub(super) hours: Id,
    pub(super) head: Id,
    pub(super) key_accounts: Vec<Id>,
    pub(super) liaisons: Vec<Id>,
    pub(super) districts: Vec<District>,
}

/// A territory at the bottom of the tree.
#[derive(Debug)]
pub(super) struct District {
    pub(super) territory: Id,
    pub(super) city: &'static str,
    pub(super) manager: Id,
    pub(super) reps: Vec<Rep>,
}

/// A sales representative.
#[derive(Debug)]
pub(super) struct Rep {
    pub(super) id: Id,
    /// The last day of somebody who left the company.
    pub(super) left: Option<Day>,
}

/// Everybody.
#[derive(Debug)]
pub(super) struct Company {
    pub(super) regions: Vec<Region>,
    pub(super) brand_managers: Vec<Id>,
    pub(super) specialists: Vec<Id>,
    pub(super) agents: Vec<Id>,
    pub(super) medical_head: Id,
    pub(super) queues: Queues,
}

/// Where work waits for somebody to take it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queues {
    pub(super) orders: Id,
    pub(super) service: Id,
    pub(super) medical: Id,
    pub(super) leads: Id,
    pub(super) accounts: Id,
    pub(super) dunning: Id,
}

impl District {
    /// Those who work there today. The first of a district never leaves.
    pub(super) fn active(&self) -> Vec<Id> {
        self.reps.iter().filter(|rep| rep.left.is_none()).map(|rep| rep.id).collect()
    }
}

/// Founds the company.
pub(super) fn found(story: &mut Story) -> Company {
    let mut founding = Founding { rng: story.rng("company"), names: Names::default(), story };
    founding.company()
}

/// A position: its role, its team, its place.
#[derive(Clone, Copy)]
struct Position {
    role: Id,
    team: Id,
    manager: Option<Id>,
    territory: Option<Id>,
    region: Option<Id>,
    language: &'static str,
}

struct Founding<'s> {
    story: &'s mut Story,
    rng: Rng,
    names: Names,
}

struct Roles {
    director: Id,
    sales_head: Id,
    medical_head: Id,
    service_head: Id,
    brand_manager: Id,
    regional_head: Id,
    district_manager: Id,
    rep: Id,
    key_accounts: Id,
    liaison: Id,
    specialist: Id,
    agent: Id,
}

impl Founding<'_> {
    fn company(&mut self) -> Company {
        let roles = self.roles();
        let company_team = self.team("Company", None);
        let [field, medical, service, marketing] =
            ["Field Force", "Medical Affairs", "Customer Service", "Marketing"]
                .map(|name| self.team(name, Some(company_team)));
        let office = |role, team, manager| Position {
            role,
            team,
            manager,
            territory: None,
            region: None,
            language: "English",
        };
        let director = self.hire(office(roles.director, company_team, None));
        let sales_head = self.hire(office(roles.sales_head, field, Some(director)));
        let medical_head = self.hire(office(roles.medical_head, medical, Some(director)));
        let service_head = self.hire(office(roles.service_head, service, Some(director)));
        let mut several = |position: Position, count| (0..count).map(|_| self.hire(position)).collect();
        let brand_managers = several(office(roles.brand_manager, marketing, Some(director)), 4);
        let specialists = several(office(roles.specialist, medical, Some(medical_head)), 3);
        let agents = several(office(roles.agent, service, Some(service_head)), 6);
        for (team, lead) in
            [(company_team, director), (field, sales_head), (medical, medical_head), (service, service_head)]
        {
            self.story.amend(team, "lead", lead);
        }

        let opening = OPENING.at(8, 0, 0);
        let world = self.story.add(TERRITORY, opening).set("name", "World").set("manager", sales_head).id;
        let mut cities = CITIES.iter().copied();
        let regions = LANDS
            .iter()
            .map(|land| {
                let cities: Vec<&'static str> = cities.by_ref().take(DISTRICTS).collect();
                let above = Above { roles: &roles, field, medical, sales_head, medical_head, world };
                self.region(*land, &cities, &above)
            })
            .collect();
        let queues = self.queues();
        Company { regions, brand_managers, specialists, agents, medical_head, queues }
    }

    fn roles(&mut self) -> Roles {
        let mut role = |name: &str, parent: Option<Id>, rank: i64| {
            let row = self.story.add(USER_ROLE, OPENING.at(8, 0, 0));
            row.set("name", name).set("parent_role", parent).set("rank", rank).id
        };
        let director = role("Managing Director", None, 1);
        let sales_head = role("Head of Sales", Some(director), 2);
        let medical_head = role("Head of Medical Affairs", Some(director), 2);
        let service_head = role("Head of Customer Service", Some(director), 2);
        let regional_head = role("Regional Head", Some(sales_head), 3);
        let district_manager = role("District Manager", Some(regional_head), 4);
        Roles {
            director,
            sales_head,
            medical_head,
            service_head,
            brand_manager: role("Brand Manager", Some(director), 3),
            regional_head,
            district_manager,
            rep: role("Sales Representative", Some(district_manager), 5),
            key_accounts: role("Key Account Manager", Some(regional_head), 4),
            liaison: role("Medical Science Liaison", Some(medical_head), 3),
            specialist: role("Medical Information Specialist", Some(medical_head), 3),
            agent: role("Service Agent", Some(service_head), 3),
        }
    }

    fn team(&mut self, name: &str, parent: Option<Id>) -> Id {
        self.story.add(TEAM, OPENING.at(8, 0, 0)).set("name", name).set("parent_team", parent).id
    }

    fn queues(&mut self) -> Queues {
        let mut queue = |name: &str, login: &str, notify: bool| {
            let row = self.story.add(QUEUE, OPENING.at(9, 0, 0));
            let email = format!("{login}@example.com");
            row.set("name", name).set("email", email).set("notify_members", notify).id
        };
        Queues {
            orders: queue("Order Desk", "orders", true),
            service: queue("Customer Service", "service", true),
            medical: queue("Medical Information", "medinfo", true),
            leads: queue("New Leads", "leads", false),
            accounts: queue("Unassigned Accounts", "accounts", false),
            dunning: queue("Collections", "collections", false),
        }
    }

    fn hire(&mut self, position: Position) -> Id {
        let name = self.names.draw(Script::Latin, &mut self.rng);
        self.employ(&name, position)
    }

    fn employ(&mut self, name: &Name, position: Position) -> Id {
        let rng = &mut self.rng;
        let hired = OPENING.plus(-i64::from(rng.below(3_000))).working();
        let login = name.login().unwrap_or_default();
        let last_login = TODAY.plus(-i64::from(rng.below(6))).at(rng.between(5, 20).into(), 12, 0);
        let mobile = format!("+49 170 {:07}", rng.below(10_000_000));
        let row = self.story.add(USER, hired.at(8, 0, 0));
        let number = row.id.number;
        row.set("name", name.full.as_str())
            .set("manager", position.manager)
            .set("role", position.role)
            .set("team", position.team)
            .set("home_territory", position.territory)
            .set("region", position.region)
            .set("username", format!("{login}.{}", number + 1))
            .set("employee_number", format!("P{:05}", 10_207 + number * 7))
            .set("email", format!("{login}@example.com"))
            .set("mobile", mobile)
            .set("language", position.language)
            .set("is_active", true)
            .set("last_login_at", last_login)
            .set("hired", hired)
            .id
    }
}

/// What a region hangs from.
struct Above<'r> {
    roles: &'r Roles,
    field: Id,
    medical: Id,
    sales_head: Id,
    medical_head: Id,
    world: Id,
}

impl Founding<'_> {
    fn region(&mut self, land: Land, cities: &[&'static str], above: &Above<'_>) -> Region {
        let opening = OPENING.at(8, 0, 0);
        let hours = self.story.add(BUSINESS_HOURS, opening);
        hours
            .set("name", land.name)
            .set("is_default", land.zone == "Europe/Berlin")
            .set("time_zone", land.zone)
            .set("monday_from", "08:00:00")
            .set("monday_until", "17:30:00")
            .set("friday_until", "15:00:00");
        let hours = hours.id;
        let id = self.story.add(SALES_REGION, opening).set("name", land.name).set("country", land.country).id;
        let team = self.team(&format!("Field Force {}", land.name), Some(above.field));
        let language = match land.country {
            "germany" => "Deutsch",
            "greece" => "Ελληνικά",
            _ => "English",
        };
        let position = |role, team, manager, territory| Position {
            role,
            team,
            manager: Some(manager),
            territory,
            region: Some(id),
            language,
        };
        let head = self.hire(position(above.roles.regional_head, team, above.sales_head, None));
        self.story.amend(id, "head", head);
        self.story.amend(team, "lead", head);
        let parent = self.story.add(TERRITORY, opening);
        parent.set("name", land.name).set("parent", above.world).set("region", id).set("manager", head);
        let parent = parent.id;
        let of_region = |role, team, manager| position(role, team, manager, None);
        let key_accounts =
            (0..2).map(|_| self.hire(of_region(above.roles.key_accounts, team, head))).collect();
        let liaisons = (0..2)
            .map(|_| self.hire(of_region(above.roles.liaison, above.medical, above.medical_head)))
            .collect();
        let managers: Vec<Id> =
            (0..2).map(|_| self.hire(of_region(above.roles.district_manager, team, head))).collect();
        let mut districts = Vec::new();
        for (at, city) in cities.iter().copied().enumerate() {
            let manager = if at % 2 == 0 { managers.first() } else { managers.last() };
            let manager = manager.copied().unwrap_or(head);
            let territory = self.story.add(TERRITORY, opening);
            territory
                .set("name", city)
                .set("parent", parent)
                .set("region", id)
                .set("manager", manager)
                .set("team", team)
                .set("headcount", REPS);
            let territory = territory.id;
            let reps: Vec<Rep> = (0..REPS)
                .map(|rep| {
                    let name = self.rep_name(land, at, rep);
                    let id = self.employ(&name, position(above.roles.rep, team, manager, Some(territory)));
                    Rep { id, left: self.leaves(id, at, rep) }
                })
                .collect();
            self.story.amend(territory, "deputy", reps.first().map(|rep| rep.id));
            districts.push(District { territory, city, manager, reps });
        }
        Region { land, id, hours, head, key_accounts, liaisons, districts }
    }

    /// The first rep of all is the one that examples are about. Two reps have one name.
    fn rep_name(&mut self, land: Land, district: usize, rep: u32) -> Name {
        match (land.country, district, rep) {
            ("germany", 0, 0) => self.names.give("Dana", "Whitfield"),
            ("germany", 3, 1) | ("united_states", 1, 0) => self.names.give("Marta", "Jansen"),
            _ => self.names.draw(Script::Latin, &mut self.rng),
        }
    }

    /// One rep a region left the company.
    fn leaves(&mut self, id: Id, district: usize, rep: u32) -> Option<Day> {
        let left = (district == 4 && rep == 2).then_some(Day::of(2025, 6, 30));
        if let Some(day) = left {
            self.story.amend(id, "is_active", false);
            self.story.amend(id, "last_login_at", day.at(15, 2, 0));
        }
        left
    }
}
