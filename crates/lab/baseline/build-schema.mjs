// The baseline of the build bench: the same job as `build-schema`, done the plain way. Reads an
// extract in the native format and a filter as JSON, and writes the same schema.json and
// schema.msgpack, byte for byte. Prints what it counted.
//
//   node build-schema.mjs EXTRACT FILTER OUT

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const [extractPath, filterPath, out] = process.argv.slice(2);
const extract = JSON.parse(readFileSync(extractPath, "utf8"));
const filter = JSON.parse(readFileSync(filterPath, "utf8"));

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const byName = (a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
const glob = (pattern) => new RegExp(`^${pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".")}$`);

// --- filter and close ---------------------------------------------------------------------------

const allowed = new Set(filter.objects);
const exact = new Set(filter.fields.exact);
const patterns = filter.fields.patterns.map(glob);
const blocked = (name) => exact.has(name) || patterns.some((pattern) => pattern.test(name));
const rules = (object) => filter.rules[object] ?? { keep: [], drop: [] };
const keeps = (object, name) => !rules(object).drop.includes(name) && (rules(object).keep.includes(name) || !blocked(name));

let fieldCount = 0, values = 0;
for (const object of extract.objects) {
  fieldCount += object.fields.length;
  for (const field of object.fields) values += field.picklist?.length ?? 0;
}

const objects = extract.objects
  .filter((object) => allowed.has(object.name))
  .map((object) => {
    const fields = object.fields.filter((field) => keeps(object.name, field.name)).map((field) => {
      const references = [...new Set(field.references ?? [])].filter((target) => allowed.has(target)).sort();
      return { ...field, references, type: field.type === "reference" && !references.length ? "id" : field.type };
    });
    const has = (name) => fields.some((field) => field.name === name);
    for (const field of fields) if (!has(field.currencyField)) delete field.currencyField;
    const ids = object.fields.filter((field) => field.type === "id" && !field.references?.length);
    const id = (ids.find((field) => field.name.toLowerCase() === "id") ?? ids.sort(byName)[0])?.name;
    return {
      name: object.name,
      label: object.label?.trim() || object.name,
      queryable: object.queryable !== false,
      stableId: object.stableId,
      idField: has(id) ? id : undefined,
      nameField: has(object.nameField) ? object.nameField : undefined,
      fields: fields.sort(byName),
      referencedBy: [],
    };
  })
  .sort(byName);

const index = new Map(objects.map((object) => [object.name, object]));
for (const object of objects) {
  for (const field of object.fields) {
    for (const target of field.references) index.get(target).referencedBy.push([object.name, field.name]);
  }
}

// --- JSON ---------------------------------------------------------------------------------------

const fieldJson = (field) => {
  const native = field.nativeType ?? (field.type === "id" && field.references ? undefined : field.type);
  const line = {
    name: field.name,
    label: field.label?.trim() || field.name,
    type: field.type,
    nativeType: native !== field.type ? native : undefined,
    references: field.references.length ? field.references : undefined,
    relationshipName: field.references.length ? field.relationshipName : undefined,
    required: field.required || undefined,
    unique: field.unique || undefined,
    calculated: field.calculated || undefined,
    filterable: field.filterable === false ? false : undefined,
    sortable: field.sortable === false ? false : undefined,
    groupable: field.groupable === false ? false : undefined,
    length: field.length,
    precision: field.precision,
    scale: field.scale,
    currencyField: field.currencyField,
    stableId: field.stableId,
  };
  return JSON.stringify(line);
};

const list = (depth, items) =>
  items.length ? `[\n${items.map((item) => " ".repeat(depth + 1) + item).join(",\n")}\n${" ".repeat(depth)}]` : "[]";

const objectJson = (object) => {
  const { name, label, stableId, idField, nameField } = object;
  const queryable = object.queryable ? undefined : false;
  const head = JSON.stringify({ name, label, stableId, queryable, idField, nameField }).slice(0, -1);
  const fields = list(2, object.fields.map(fieldJson));
  const referencedBy = list(2, object.referencedBy.map((back) => JSON.stringify(back.join("."))));
  return `${head},"fields":${fields},"referencedBy":${referencedBy}}`;
};

const profileJson = (profile) => {
  const rows = profile.rows.flatMap(([object, conditions]) =>
    conditions.map(([field, op, values]) => JSON.stringify({ object, field, op, values })));
  const drop = profile.hidden.flatMap(([object, fields]) => fields.map((field) => `${object}.${field}`));
  return `${JSON.stringify({ name: profile.name, objects: profile.objects, drop }).slice(0, -1)},"rows":${list(2, rows)}}`;
};

// --- MessagePack --------------------------------------------------------------------------------

class Packer {
  constructor() { this.parts = []; }
  bytes(...bytes) { this.parts.push(Buffer.from(bytes)); }
  nil() { this.bytes(0xc0); }
  bool(value) { this.bytes(value ? 0xc3 : 0xc2); }
  sized(count, fix, most, codes) {
    if (count <= most) return this.bytes(fix | count);
    if (codes[0] && count < 256) return this.bytes(codes[0], count);
    if (count < 65536) return this.bytes(codes[1], count >> 8, count & 255);
    this.bytes(codes[2], count >>> 24, (count >> 16) & 255, (count >> 8) & 255, count & 255);
  }
  uint(value) { this.sized(value, 0, 127, [0xcc, 0xcd, 0xce]); }
  array(count) { this.sized(count, 0x90, 15, [0, 0xdc, 0xdd]); }
  text(value) { const utf8 = Buffer.from(value); this.sized(utf8.length, 0xa0, 31, [0xd9, 0xda, 0xdb]); this.parts.push(utf8); }
  binary(value) { this.bytes(0xc4, value.length); this.parts.push(value); }
  maybe(value, write) { if (value === undefined || value === null) this.nil(); else write.call(this, value); }
  texts(values) { this.array(values.length); values.forEach((value) => this.text(value)); }
  done() { return Buffer.concat(this.parts); }
}

const TYPES = ["id", "text", "long_text", "integer", "decimal", "currency", "percent", "boolean", "date", "datetime", "time",
  "picklist", "multi_picklist", "reference", "email", "phone", "url", "address", "geolocation", "binary", "json", "other"];

const record = (object) => {
  const pack = new Packer();
  pack.array(9);
  pack.text(object.name);
  pack.text(object.label);
  pack.nil();
  pack.maybe(object.stableId, pack.text);
  pack.bool(object.queryable);
  pack.maybe(object.idField, pack.text);
  pack.maybe(object.nameField, pack.text);
  pack.array(object.fields.length);
  for (const field of object.fields) {
    const flags = (field.required ? 1 : 0) | (field.unique ? 2 : 0) | (field.calculated ? 4 : 0)
      | (field.filterable === false ? 8 : 0) | (field.sortable === false ? 16 : 0) | (field.groupable === false ? 32 : 0);
    pack.array(10);
    pack.text(field.name);
    pack.text(field.label?.trim() || field.name);
    pack.uint(TYPES.indexOf(field.type));
    pack.uint(flags);
    pack.text(field.nativeType ?? field.type);
    pack.texts(field.references);
    pack.maybe(field.length, pack.uint);
    pack.maybe(field.precision, pack.uint);
    pack.maybe(field.scale, pack.uint);
    const relationship = field.references.length ? field.relationshipName : undefined;
    const rare = [undefined, relationship, field.currencyField, undefined, field.stableId];
    if (rare.every((value) => value === undefined)) pack.nil();
    else {
      pack.array(5);
      rare.forEach((value) => pack.maybe(value, pack.text));
    }
  }
  pack.array(object.referencedBy.length);
  object.referencedBy.forEach((back) => pack.texts(back));
  return pack.done();
};

const packProfiles = (profiles) => {
  const pack = new Packer();
  pack.array(profiles.length);
  for (const profile of profiles) {
    pack.array(4);
    pack.text(profile.name);
    pack.texts(profile.objects);
    pack.array(profile.hidden.length);
    for (const [object, fields] of profile.hidden) { pack.array(2); pack.text(object); pack.texts(fields); }
    pack.array(profile.rows.length);
    for (const [object, conditions] of profile.rows) {
      pack.array(2);
      pack.text(object);
      pack.array(conditions.length);
      for (const [field, op, operands] of conditions) { pack.array(3); pack.text(field); pack.text(op); pack.texts(operands); }
    }
  }
  return pack.done();
};

// --- write --------------------------------------------------------------------------------------

const records = objects.map(record);
const hashes = records.map((bytes) => sha256(bytes));
const profiles = packProfiles(filter.profiles);
const content = sha256(...hashes, sha256(profiles));
const edges = objects.reduce((sum, object) => sum + object.referencedBy.length, 0);

const pack = new Packer();
pack.array(4);
pack.text("1.0.0");
pack.binary(content);
pack.array(objects.length);
objects.forEach((object, at) => {
  pack.array(7);
  pack.text(object.name);
  pack.text(object.label);
  pack.bool(object.queryable);
  pack.uint(object.fields.length);
  pack.uint(object.fields.reduce((sum, field) => sum + field.references.length, 0));
  pack.uint(object.referencedBy.length);
  pack.array(2);
  pack.uint(records[at].length);
  pack.binary(hashes[at]);
});
pack.array(2);
pack.uint(profiles.length);
pack.binary(sha256(profiles));
const packedIndex = pack.done();

const header = Buffer.alloc(24);
header.write("PORTOLAN");
header.writeUInt32LE(1, 8);
header.writeUInt32LE(packedIndex.length, 12);
header.writeBigUInt64LE(BigInt(56 + packedIndex.length + records.reduce((sum, bytes) => sum + bytes.length, 0) + profiles.length), 16);

const json = `{\n "formatVersion": 1,\n "version": "1.0.0",\n "content": "sha256:${content.toString("hex")}",\n "objects": ${
  list(1, objects.map(objectJson))},\n "profiles": ${list(1, filter.profiles.map(profileJson))}\n}\n`;

writeFileSync(`${out}/schema.json`, json);
writeFileSync(`${out}/schema.msgpack`, Buffer.concat([header, sha256(header, packedIndex), packedIndex, ...records, profiles]));
console.log(JSON.stringify({
  objects: [extract.objects.length, objects.length],
  fields: [fieldCount, objects.reduce((sum, object) => sum + object.fields.length, 0)],
  edges, values,
}));
