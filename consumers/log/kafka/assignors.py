"""How the leader of a group on Kafka assigns its partitions: each member gets a share, or one gets all.

The library's own assignor is an argument here, since one file imports the library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def assignors(by_range: Any, partitions: Mapping[str, int], single_active: bool) -> list[Any]:
    """What a member may be assigned by, the preferred one first.

    Range keeps the partitions of several topics together. A static member that is started again gets the assignment
    that it had, unless the group's protocol changes with it: so the preferred one is named after the numbers of
    partitions.

    Args:
        by_range: The library's range assignor, a class.
        partitions: The topics to read, by their names on the broker, with their numbers of partitions.
        single_active: As for `Log.join_group`.
    """
    plain: Any = _single_active(by_range) if single_active else by_range

    class Preferred(plain):
        name = "-".join([plain.name, *(str(partitions[topic]) for topic in sorted(partitions))])

    return [Preferred, plain]


def _single_active(by_range: Any) -> Any:
    """An assignor that gives all partitions to the member whose name is the first.

    Whoever has them now does not count: after each assignment all begin anew at the committed positions.
    """

    class SingleActive(by_range):
        name = "single-active"

        @classmethod
        def assign(cls, cluster: Any, members: Sequence[Any]) -> dict[str, Any]:
            """What each member gets, by its id; all members are static."""
            first = min(members, key=lambda member: member.group_instance_id)
            assigned: dict[str, Any] = by_range.assign(cluster, [first])
            nothing = type(assigned[first.member_id])(cls.version, [], b"")
            return {member.member_id: nothing for member in members} | assigned

    return SingleActive
