"""The review worker at the priority of the tests: at its usual priority a busy machine would starve it."""

from tavolino.coach import worker

worker.NICE = worker.LATE_NICE = 0
worker.IDLE = False

if __name__ == "__main__":
    worker.main()
