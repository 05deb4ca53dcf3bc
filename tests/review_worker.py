"""The worker of reviews at the priority of the tests: at its own a busy machine would let them wait for minutes."""

from tavolino.coach import worker

worker.NICE = 0

if __name__ == "__main__":
    worker.main()
