"""A review as JSON, for the command line and the page: numbers, keys of sentences, numbers of log lines."""

from typing import Any

from tavolino.coach.decision import Candidate
from tavolino.coach.review import Decision, Review, Step
from tavolino.engine.explanation import Fact

DIGITS = 4
Json = dict[str, Any]


def review_json(review: Review) -> Json:
    """All of a review. Chances are from 0 to 1; `error` is always a standard error."""
    parts, turning = review.parts, review.turning_point
    return {
        "seat": review.seat,
        "parts": {
            "start": _round(parts.start),
            "luck": _round(parts.luck),
            "own": _round(parts.own),
            "others": _round(parts.others),
            "result": _round(parts.result),
            "errors": {
                "start": _round(parts.start_error),
                "luck": _round(parts.luck_error),
                "own": _round(parts.own_error),
                "others": _round(parts.others_error),
            },
        },
        "skill": None if review.skill is None else _round(review.skill),
        "luck": _round(parts.luck),
        "difficulty": _round(review.difficulty),
        "given_away": _round(review.given_away),
        "turning_point": None if turning is None else turning.turn,
        "moments": [decision.turn for decision in review.moments],
        "steps": [_step(step) for step in review.steps],
        "decisions": [_decision(decision) for decision in review.decisions],
    }


def _step(step: Step) -> Json:
    return {
        "turn": step.turn,
        "line": step.line,
        "seat": step.seat,
        "before": _round(step.before),
        "after": _round(step.after),
        "error": _round(step.error),
        "doing": _round(step.doing),
        "doing_error": _round(step.doing_error),
        "luck": _round(step.luck),
    }


def _decision(decision: Decision) -> Json:
    judged = decision.judgement
    return {
        "turn": decision.turn,
        "line": decision.line,
        "chosen": judged.chosen,
        "best": judged.best,
        "usual": judged.usual,
        "label": judged.label,
        "told_apart": judged.is_told_apart,
        "cost": _round(judged.cost),
        "cost_error": _round(judged.cost_error),
        "gain": _round(judged.gain),
        "gain_error": _round(judged.gain_error),
        "chance": _round(judged.chance),
        "chance_error": _round(judged.chance_error),
        "guess_cost": _round(judged.guess_cost),
        "actions": [candidate_json(candidate) for candidate in judged.candidates],
        "reasons": [fact_json(fact) for fact in decision.reasons],
    }


def candidate_json(candidate: Candidate) -> Json:
    return {
        "action": candidate.action,
        "chance": _round(candidate.chance),
        "error": _round(candidate.error),
        "worlds": candidate.worlds,
        "estimate": candidate.is_estimate,
    }


def fact_json(fact: Fact) -> Json:
    return {"key": f"reason.{fact.key}", "params": dict(fact.params), "rule": fact.rule}


def _round(number: float) -> float:
    return round(number, DIGITS) + 0.0  # no -0.0
