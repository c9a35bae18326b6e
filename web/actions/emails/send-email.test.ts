import { describe, expect, test, vi } from "vitest";
import { type EmailKind, type SendDeps, sendEmail } from "./send-email.ts";

const email = {
  toEmail: "bob@example.com",
  inviterEmail: "ada@example.com",
  subject: "Come",
  language: "en" as const,
  message: "<p>Come</p>",
};
const answering = (response: Response): SendDeps => ({
  isUnsubscribed: async () => false,
  post: vi.fn(async () => response),
});
const send = (deps: SendDeps, kind: EmailKind = "memory", change: object = {}) =>
  sendEmail(kind, { ...email, ...change }, deps);

test("Spec §4: an email is sent, taken on for the background, or skipped", async () => {
  expect(await send(answering(Response.json({ success: true })))).toBe("success");
  expect(await send(answering(Response.json({ success: true }, { status: 202 })))).toBe("background");
  expect(await send(answering(Response.json({ success: true, skipped: true })))).toBe("skipped");
});

test("Spec §7: no email is sent to an unsubscribed address", async () => {
  const deps = { ...answering(Response.json({})), isUnsubscribed: async () => true };
  expect(await send(deps)).toBe("skipped");
  expect(deps.post).not.toHaveBeenCalled();
});

test("the server decides if the email preference cannot be read", async () => {
  const lost = async () => Promise.reject(new Error("no answer"));
  expect(await send({ ...answering(Response.json({}, { status: 202 })), isUnsubscribed: lost })).toBe("background");
});

test.each([
  [{ toEmail: "" }, "Recipient email is required"],
  [{ inviterEmail: "" }, "Inviter email is required"],
  [{ toEmail: "bob" }, "Invalid email format"],
  [{ inviterEmail: "ada@localhost" }, "Invalid email format"],
])("Spec §5: %j is refused before anything is sent", async (change, message) => {
  const deps = answering(Response.json({}));
  await expect(send(deps, "memory", change)).rejects.toThrow(new Error(message));
  expect(deps.post).not.toHaveBeenCalled();
});

describe("Spec §8", () => {
  const refused = () => answering(new Response("{}", { status: 429, statusText: "Too Many Requests" }));

  test("a refused email has the specified nested error message", async () => {
    await expect(send(refused())).rejects.toThrow(
      "Failed to send memory invitation: Failed to send memory invitation email: Too Many Requests",
    );
    await expect(send(refused(), "platform")).rejects.toThrow(
      "Failed to send invitation: Failed to send invitation email: Too Many Requests",
    );
  });

  test("the server's text replaces a missing status text", async () => {
    const deps = answering(Response.json({ message: "Not today" }, { status: 403 }));
    await expect(send(deps)).rejects.toThrow(/email: Not today$/);
  });

  test("a network failure during sending is tolerated, and the email is not confirmed", async () => {
    const deps = { ...refused(), post: async () => Promise.reject(new TypeError("Failed to fetch")) };
    expect(await send(deps)).toBe("unconfirmed");
  });
});
