/** Copies a link that a field shows; says whether that worked. */
export async function copyLink(link: string, field: HTMLInputElement | undefined): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link)
    return true
  } catch {
    // Pages without https have no clipboard: select the link, so that the keyboard's own copy works.
    field?.select()
    return document.execCommand('copy')
  }
}
