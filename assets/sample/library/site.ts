import { Order, confirm } from "./orders";

/** How long an order may take, in milliseconds. */
export const PATIENCE = 2_000;

type State = "open" | "confirmed" | "late";

export async function place(order: Order): Promise<State> {
  const started = performance.now();
  try {
    await confirm(order, { signal: AbortSignal.timeout(PATIENCE) });
    return "confirmed";
  } catch (error) {
    console.warn(`order ${order.id} took ${performance.now() - started} ms`, error);
    return "late";
  }
}

document.querySelectorAll<HTMLFormElement>("form.order").forEach((form) => {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const order = Object.fromEntries(new FormData(form)) as unknown as Order;
    form.dataset.state = await place(order);
  });
});
