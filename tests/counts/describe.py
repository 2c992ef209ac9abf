"""Counts what Salesforce describe results hold, as a truth independent of the compiler.

    python3 describe.py DIR

Prints one JSON object with sorted keys. Where the compiler asks a document's shape and then reads
only there, this loads every document whole and looks for objects at any depth: a dictionary with a
name and a list of fields is one, wherever it stands. The two can't share a mistake about shapes.

    objects, fields        described objects (lists of names don't count) and their fields
    reference_fields       fields with at least one target
    targets                field -> target pairs, each target once a field
    polymorphic            fields with more than one target
    self_references        fields that have their own object among their targets
    missing_targets        how many distinct targets are not among the objects
    missing_target_names   which
    picklist_fields        fields of type picklist or multipicklist
    picklist_values        values on fields of any type
    by_type                vendor's type -> fields
    skipped                files in which no object was found
    per_object             name -> {fields, references}
"""

import collections
import json
import pathlib
import sys


def described(value):
    """Every object's description at or below a JSON value."""
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, dict):
            fields = value.get("fields")
            if isinstance(value.get("name"), str) and isinstance(fields, list):
                yield value
            else:
                stack.extend(value.values())


def load(path):
    """The document, or nothing where it is no JSON. `json.loads` tells UTF-8, 16 and 32 by itself."""
    try:
        return json.loads(path.read_bytes())
    except ValueError:
        return None


def main(root):
    fields_of = {}
    skipped = 0
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        found = list(described(load(path)))
        skipped += not found
        for each in found:
            if each["name"] in fields_of:
                sys.exit(f"{path}: the object '{each['name']}' is described twice")
            fields_of[each["name"]] = each["fields"]

    every = [(name, field) for name, fields in fields_of.items() for field in fields]
    targets = [(name, set(field.get("referenceTo") or [])) for name, field in every]
    missing = set().union(*(to for _, to in targets)) - fields_of.keys()
    return {
        "objects": len(fields_of),
        "fields": len(every),
        "reference_fields": sum(bool(to) for _, to in targets),
        "targets": sum(len(to) for _, to in targets),
        "polymorphic": sum(len(to) > 1 for _, to in targets),
        "self_references": sum(name in to for name, to in targets),
        "missing_targets": len(missing),
        "missing_target_names": sorted(missing),
        "picklist_fields": sum(field.get("type") in ("picklist", "multipicklist") for _, field in every),
        "picklist_values": sum(len(field.get("picklistValues") or []) for _, field in every),
        "by_type": collections.Counter(field.get("type") or "" for _, field in every),
        "skipped": skipped,
        "per_object": {
            name: {"fields": len(fields), "references": sum(bool(field.get("referenceTo")) for field in fields)}
            for name, fields in fields_of.items()
        },
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: describe.py DIR")
    print(json.dumps(main(pathlib.Path(sys.argv[1])), indent=2, sort_keys=True))
