"""The worker of reviews at the priority of the tests: at its own a busy machine would let them wait."""

from tavolino.coach import worker

worker.NICE = worker.LATE_NICE = 0
worker.IDLE = False

if __name__ == "__main__":
    worker.main()
