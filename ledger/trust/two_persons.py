"""The rule of two: what reaches a published period of a list is decided by two people.

So is the erasure of a person, which nobody can undo, and what is done about an account's keys by
somebody who has none of them.

Each list has it, unless it is turned off (``SetTwoPersons``). It is in force while at least two
accounts hold the role of an officer: nobody else could be the second. So one person cannot end it
either, by turning it off or by taking officers their role until one is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from ledger.errors import InputRefused
from ledger.events.accounts import AccountGranted, AccountRevoked, KeyBound, KeyRevoked
from ledger.events.lists import TwoPersonsSet
from ledger.events.model import Dated
from ledger.events.players import PlayerErased
from ledger.facts.accounts import AccountFacts, holders
from ledger.facts.columns import Facts
from ledger.journal.batch import of_type
from ledger.letters import mixed_in, skeleton, unseen_in
from ledger.lists.reach import Reached, reached
from ledger.terms import Role
from ledger.wording import Message

Accounts: TypeAlias = Mapping[str, AccountFacts]
KeyChange: TypeAlias = KeyBound | KeyRevoked

_AND: Final = " + "  # between the two people in the actor of a commit
_FEWEST: Final = 2


def check_name(actor: str) -> None:
    """Refuses an actor who could be taken for two, or for somebody else.

    ``actor`` is as it is recorded (``plain_name``). What was recorded before is not asked.

    Raises:
        InputRefused: it is blank, has a letter that is not seen, a word in several scripts, or a
            sign that stands between two.
    """
    if not actor:
        raise InputRefused("two.nameless")
    if _AND in f" {actor} ":
        raise InputRefused("two.plus", actor=actor)
    if (letter := unseen_in(actor)) is not None:
        raise InputRefused("two.unseen", actor=actor, letter=f"U+{ord(letter):04X}")
    if (word := mixed_in(actor)) is not None:
        raise InputRefused("two.mixed", actor=actor, word=word)


def both(actor: str, second: str | None) -> str:
    """Returns the actor of a commit: the first, and the second where there is one."""
    return actor if second is None else f"{actor}{_AND}{second}"


def people_of(actor: str) -> tuple[str, str | None]:
    """Returns the one or two people who are the actor of a commit: the way back from ``both``.

    The second is an account, in whose name no such sign stands: the last one is between them, also
    where a first one bore a name that is not taken any more.
    """
    first, between, second = actor.rpartition(_AND)
    return (first, second) if between else (actor, None)


def person(name: str) -> str:
    """Returns the account that is meant by the name of an actor, however it was typed."""
    return name.strip().casefold()


def lists_in_force(facts: Facts) -> frozenset[str]:
    """Returns the lists for which the rule is in force."""
    if not _are_enough(facts.accounts):
        return frozenset()
    return frozenset(name for name, facts_ in facts.lists.items() if facts_.two_persons)


def _are_enough(accounts: Accounts) -> bool:
    """Whether there are officers enough for one to be the second person."""
    return len(holders(accounts.values(), Role.OFFICER)) >= _FEWEST


def why_two(facts: Facts, events: Sequence[Dated], actor: str) -> Message | None:
    """Returns why events need two people; None: one may record them, the actor."""
    lists = lists_in_force(facts)
    if not lists:
        return None
    for _, event in of_type(events, TwoPersonsSet):
        if event.list in lists and not event.required:
            return Message.of("two.turned_off", list=event.list)
    for _, erased in of_type(events, PlayerErased):
        return Message.of("two.erases", player=erased.player)
    changes: list[KeyChange] = [event for _, event in of_type(events, KeyBound)]
    changes += (event for _, event in of_type(events, KeyRevoked))
    if (account := _others_keys(facts.accounts, changes, actor)) is not None:
        return Message.of("two.keys", account=account)
    if len(_officers_after(facts, events)) < _FEWEST:
        return Message.of("two.one_left", list=min(lists))
    found: list[Reached] = [each for each in reached(facts, events) if each.list in lists]
    if not found:
        return None
    return Message.of("two.reaches", list=found[0].list, period=found[0].period)


def needs_two_to_revoke(facts: Facts, account: str, able: frozenset[str]) -> bool:
    """Whether it takes two people to take an account the role of an officer.

    ``able`` are the accounts that can sign in: without two officers among them nobody is left at
    the site to agree, however many more were made officers.
    """
    officers = holders(facts.accounts.values(), Role.OFFICER)
    counted = (officers, officers & able)
    is_needed = any(account in each and len(each) == _FEWEST for each in counted)
    return is_needed and bool(lists_in_force(facts))


def check_persons(facts: Facts, actor: str, second: str | None, events: Sequence[Dated]) -> None:
    """Refuses events that need two people and have one, and a second who is none.

    Args:
        facts: what is recorded before the events.
        actor: who asks for them; as the first of two, an account.
        second: who agrees; must be an officer, and another one.
        events: what is to be recorded.

    Raises:
        InputRefused: see above.
    """
    _check_looks(facts.accounts, actor)
    if second is None:
        if (why := why_two(facts, events, actor)) is not None:
            raise InputRefused("two.needed", why=why, actor=actor)
        return
    if (why_not := _why_no_second(facts.accounts, actor, second)) is not None:
        raise InputRefused(why_not.key, **dict(why_not.values))
    if person(actor) not in facts.accounts:
        raise InputRefused("two.no_account", actor=actor)


def _check_looks(accounts: Accounts, actor: str) -> None:
    """Refuses an actor who is no account and looks like one, as ``Iuis`` does like ``luis``."""
    if person(actor) in accounts:
        return
    looks = skeleton(actor)
    if (account := next((each for each in accounts if skeleton(each) == looks), None)) is not None:
        raise InputRefused("two.alike", actor=actor, account=account)


def keys_lack_a_second(
    accounts: Accounts, lists: Iterable[bool], changes: Iterable[KeyChange], actor: str
) -> str | None:
    """Returns an account whose keys were changed by fewer people than it takes; else None.

    That is the same rule, asked later: of what is recorded, and maybe past the program.

    Args:
        accounts: as they were before.
        lists: whether each of the lists had the rule then.
        changes: how keys were changed.
        actor: the actor of the commit, of one person or two.
    """
    if not any(lists) or not _are_enough(accounts):
        return None
    first, second = people_of(actor)
    if second is not None and _why_no_second(accounts, first, second) is None:
        return None
    return _others_keys(accounts, changes, first)


def _why_no_second(accounts: Accounts, actor: str, second: str) -> Message | None:
    """Returns why somebody cannot be the second person beside another one; None: he can."""
    officers = holders(accounts.values(), Role.OFFICER)
    if second not in officers:
        known = ", ".join(sorted(officers)) or Message.of("value.none")
        return Message.of("two.no_officer", second=second, known=known)
    if second.casefold() == person(actor):
        return Message.of("two.same", second=second)
    return None


def _others_keys(accounts: Accounts, changes: Iterable[KeyChange], actor: str) -> str | None:
    """Returns an account whose keys change without one of them; its first is bound by anybody.

    Its own are changed by who signs with one (see ``signers``), which needs no second person.
    """
    changed = {
        change.account
        for change in changes
        if isinstance(change, KeyRevoked)
        or ((keys := accounts.get(change.account)) is not None and keys.keys)
    }
    own = accounts.get(person(actor))
    if own is not None and own.keys_in_force:
        changed.discard(own.account)
    return min(changed, default=None)


def _officers_after(facts: Facts, events: Sequence[Dated]) -> frozenset[str]:
    """Returns who is an officer once events are recorded."""
    granted = (event for _, event in of_type(events, AccountGranted))
    revoked = (event for _, event in of_type(events, AccountRevoked))
    officers = holders(facts.accounts.values(), Role.OFFICER)
    officers |= {event.account for event in granted if event.role is Role.OFFICER}
    return officers - {event.account for event in revoked if event.role is Role.OFFICER}
