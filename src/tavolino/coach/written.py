"""A review as JSON, for the command line and the page: numbers, keys of sentences, numbers of log lines."""

from typing import Any

from tavolino.coach.decision import Candidate
from tavolino.coach.labels import JUDGE_VERSION
from tavolino.coach.review import Decision, Review, Step
from tavolino.engine.explanation import Fact

DIGITS = 4
Json = dict[str, Any]


def review_json(review: Review) -> Json:
    """All of a review. Chances are from 0 to 1; `error` is always a standard error."""
    parts, turning = review.parts, review.turning_point
    return {
        "version": JUDGE_VERSION,
        "seat": review.seat,
        "parts": {
            "start": round_number(parts.start),
            "luck": round_number(parts.luck),
            "own": round_number(parts.own),
            "others": round_number(parts.others),
            "result": round_number(parts.result),
            "errors": {
                "start": round_number(parts.start_error),
                "luck": round_number(parts.luck_error),
                "own": round_number(parts.own_error),
                "others": round_number(parts.others_error),
            },
        },
        "skill": None if review.skill is None else round_number(review.skill),
        "luck": round_number(parts.luck),
        "difficulty": round_number(review.difficulty),
        "given_away": round_number(review.given_away),
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
        "before": round_number(step.before),
        "after": round_number(step.after),
        "error": round_number(step.error),
        "doing": round_number(step.doing),
        "doing_error": round_number(step.doing_error),
        "luck": round_number(step.luck),
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
        "cost": round_number(judged.cost),
        "cost_error": round_number(judged.cost_error),
        "gain": round_number(judged.gain),
        "gain_error": round_number(judged.gain_error),
        "chance": round_number(judged.chance),
        "chance_error": round_number(judged.chance_error),
        "guess_cost": round_number(judged.guess_cost),
        "actions": [_candidate(each) for each in judged.candidates],
        "reasons": [fact_json(fact) for fact in decision.reasons],
    }


def _candidate(candidate: Candidate) -> Json:
    """An action with its cost. An estimate says only that others are ahead."""
    cost = candidate.cost
    return {
        **candidate_json(candidate),
        "cost": None if cost is None else round_number(cost),
        "label": candidate.label,
    }


def candidate_json(candidate: Candidate) -> Json:
    return {
        "action": candidate.action,
        "chance": round_number(candidate.chance),
        "error": round_number(candidate.error),
        "worlds": candidate.worlds,
        "estimate": candidate.is_estimate,
    }


def fact_json(fact: Fact) -> Json:
    return {"key": f"reason.{fact.key}", "params": dict(fact.params), "rule": fact.rule, "about": fact.about}


def round_number(number: float) -> float:
    return round(number, DIGITS) + 0.0  # no -0.0
