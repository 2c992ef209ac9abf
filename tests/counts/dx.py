"""Counts what Salesforce source (SFDX and metadata API format) holds, independently of the compiler.

    python3 dx.py DIR

Prints one JSON object with sorted keys. Where the compiler reads a stream of events and collects as
it goes, this builds each document's tree and asks it with paths, and knows the kind of a file by its
name instead of its root element.

    objects                objects with an .object-meta.xml or .object file, or at least one field
    fields                 their fields, inline ones included
    reference_fields       fields with at least one target (a Hierarchy field has its own object)
    targets                field -> target pairs, each target once a field
    polymorphic            fields with more than one target
    self_references        fields that have their own object among their targets
    missing_targets        how many distinct targets are not among the objects
    missing_target_names   which
    picklist_fields        fields of type Picklist or MultiselectPicklist
    picklist_values        values inline in fields, and in the record types of .object files
    by_type                vendor's type -> fields ("" where there is none)
    master_detail, metadata_relationships, hierarchy    fields of that type
    skipped                files that are neither an object nor a field
    per_object             name -> {fields, references}
"""

import collections
import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

OBJECT_ENDINGS = (".object-meta.xml", ".object")
FIELD_ENDING = ".field-meta.xml"
VALUES_OF_A_FIELD = ("valueSet/valueSetDefinition/value", "picklist/picklistValues")
VALUES_OF_A_RECORD_TYPE = "recordTypes/picklistValues/values"


def tree(path):
    """The document with its namespace taken off, so that paths read as the documentation writes them."""
    root = ElementTree.parse(path).getroot()
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]
    return root


def object_name(path):
    """The folder below the last folder `objects`; for a file that lies right in it, the file's stem."""
    folders = path.parts[:-1]
    if "objects" in folders and folders[-1] != "objects":
        return folders[len(folders) - folders[::-1].index("objects")]
    return path.name.split(".")[0]


def text(element, name):
    return (element.findtext(name) or "").strip()


def field_facts(owner, element, fallback=None):
    kind = text(element, "type")
    targets = {(target.text or "").strip() for target in element.findall("referenceTo")} - {""}
    if kind == "Hierarchy" and not targets:
        targets = {owner}
    return {
        "name": text(element, "fullName") or fallback,
        "type": kind,
        "targets": targets,
        "values": sum(len(element.findall(path)) for path in VALUES_OF_A_FIELD),
    }


def main(root):
    fields_of = collections.defaultdict(dict)
    record_type_values = skipped = 0

    def add(path, owner, field):
        if field["name"] in fields_of[owner]:
            sys.exit(f"{path}: the field '{owner}.{field['name']}' is defined twice")
        fields_of[owner][field["name"]] = field

    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        if path.name.endswith(FIELD_ENDING):
            owner = object_name(path)
            add(path, owner, field_facts(owner, tree(path), path.name[: -len(FIELD_ENDING)]))
        elif path.name.endswith(OBJECT_ENDINGS):
            owner, element = object_name(path), tree(path)
            fields_of[owner]  # noqa: B018 - an object without fields is one, too
            for inline in element.findall("fields"):
                add(path, owner, field_facts(owner, inline))
            record_type_values += len(element.findall(VALUES_OF_A_RECORD_TYPE))
        else:
            skipped += 1

    every = [(owner, field) for owner, fields in fields_of.items() for field in fields.values()]
    by_type = collections.Counter(field["type"] for _, field in every)
    missing = set().union(*(field["targets"] for _, field in every)) - fields_of.keys()
    return {
        "objects": len(fields_of),
        "fields": len(every),
        "reference_fields": sum(bool(field["targets"]) for _, field in every),
        "targets": sum(len(field["targets"]) for _, field in every),
        "polymorphic": sum(len(field["targets"]) > 1 for _, field in every),
        "self_references": sum(owner in field["targets"] for owner, field in every),
        "missing_targets": len(missing),
        "missing_target_names": sorted(missing),
        "picklist_fields": by_type["Picklist"] + by_type["MultiselectPicklist"],
        "picklist_values": record_type_values + sum(field["values"] for _, field in every),
        "by_type": by_type,
        "master_detail": by_type["MasterDetail"],
        "metadata_relationships": by_type["MetadataRelationship"],
        "hierarchy": by_type["Hierarchy"],
        "skipped": skipped,
        "per_object": {
            owner: {"fields": len(fields), "references": sum(bool(field["targets"]) for field in fields.values())}
            for owner, fields in fields_of.items()
        },
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: dx.py DIR")
    print(json.dumps(main(pathlib.Path(sys.argv[1])), indent=2, sort_keys=True))
