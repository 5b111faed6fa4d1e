"""How the leader of a Kafka group assigns the partitions: each member gets a share, or one gets all.

The library's assignor is an argument here, because only one file imports the library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def assignors(by_range: Any, versions: Mapping[str, str], single_active: bool) -> list[Any]:
    """The assignors that a member supports, the preferred one first.

    Range assignment gives a member the same partition numbers of all topics. A restarted static member gets its
    previous assignment, unless the group's protocol changes: so the preferred assignor has the versions of the topics
    in its name. Otherwise a group that was without a topic for a moment would stay without it.

    Args:
        by_range: The library's range assignor class.
        versions: The topics to read, by their names on the broker, with their versions (`topic_ids.topic_version`).
        single_active: As for `Log.join_group`.
    """
    plain: Any = _single_active(by_range) if single_active else by_range

    class Preferred(plain):
        name = "-".join([plain.name, *(versions[topic] for topic in sorted(versions))])

    return [Preferred, plain]


def _single_active(by_range: Any) -> Any:
    """An assignor that gives all partitions to the member with the smallest name.

    The current owner is not preferred, because after any assignment all start at the committed positions anyway.
    """

    class SingleActive(by_range):
        name = "single-active"

        @classmethod
        def assign(cls, cluster: Any, members: Sequence[Any]) -> dict[str, Any]:
            """The assignments by member id; all members must be static."""
            first = min(members, key=lambda member: member.group_instance_id)
            assigned: dict[str, Any] = by_range.assign(cluster, [first])
            nothing = type(assigned[first.member_id])(cls.version, [], b"")
            return {member.member_id: nothing for member in members} | assigned

    return SingleActive
