import { problemText } from './problems'

/** Runs the requests of a page. After a failure `problem` has the sentence for the reader; the next run clears it. */
export class Requests {
  problem = $state('')

  run = async (request: () => Promise<unknown>) => {
    this.problem = ''
    try {
      await request()
    } catch (failure) {
      this.problem = problemText(failure)
    }
  }
}
