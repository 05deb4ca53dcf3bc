const TEXTS = {
  en: { title: 'Dice', roll: 'Roll the die', refused: 'That did not work. Try again.' },
  it: { title: 'Dadi', roll: 'Tira il dado', refused: 'Non ha funzionato. Riprova.' },
  pl: { title: 'Kości', roll: 'Rzuć kością', refused: 'Nie udało się. Spróbuj ponownie.' },
}
const FACES = ['⚀', '⚁', '⚂', '⚃', '⚄', '⚅']

export default {
  title: (language) => (TEXTS[language] ?? TEXTS.en).title,

  panel(element, session) {
    const texts = TEXTS[session.language] ?? TEXTS.en
    const button = document.createElement('button')
    const rolls = document.createElement('ul')
    const problem = document.createElement('p')
    button.type = 'button'
    button.textContent = texts.roll
    problem.setAttribute('role', 'alert')
    element.append(button, rolls, problem)

    button.onclick = async () => {
      problem.textContent = ''
      try {
        await session.send({ type: 'roll-die' })
      } catch {
        problem.textContent = texts.refused
      }
    }

    return session.subscribe((table) => {
      button.hidden = table.you.seat === null
      const items = (table.features.dice_rolls?.rolls ?? []).map(({ seat, face }) => {
        const item = document.createElement('li')
        item.textContent = `${table.seats[seat].name ?? seat + 1}: ${FACES[face - 1]}`
        return item
      })
      rolls.replaceChildren(...items)
    })
  },
}
