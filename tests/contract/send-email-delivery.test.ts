import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer({}, undefined, { jobs: true, sandboxes: true });
const ada = await signUp(server, "Ada");

interface Letter {
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  recipients: string[];
}
const received = async (to: string) => {
  const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(to)}`);
  return ((await reply.json()) as { messages: Letter[] }).messages;
};

test("an invitation arrives as it was written, with who wrote it, in both parts", async () => {
  const toEmail = `${randomUUID()}@example.com`;
  const { error } = await ada.client.functions.invoke("send-email", {
    body: {
      toEmail,
      subject: "Nonna’s photos — per te",
      message: '<p>Have a <a href="https://skies.example/shared/abc">look</a> &amp; enjoy.</p><script>x()</script>',
      inviterEmail: ada.email,
    },
  });
  expect(error).toBeNull();
  await expect.poll(() => received(toEmail)).toHaveLength(1);
  const [letter] = await received(toEmail);
  expect(letter).toMatchObject({ subject: "Nonna’s photos — per te", recipients: [toEmail] });
  expect(letter?.html).toContain('<a href="https://skies.example/shared/abc"');
  expect(letter?.html).not.toContain("x()");
  expect(letter?.text).toContain("https://skies.example/shared/abc");
  expect(letter?.text).toContain("& enjoy");
  expect(letter?.text).toContain(`${ada.email} sent you this through Skies.`);
  expect(letter?.headers).toMatchObject({ "reply-to": "info@skies.example" });
});

test("a message of the contact form names no sender that nobody has proved", async () => {
  const reply = await fetch(`${server.url}/.netlify/functions/send-email`, {
    method: "POST",
    body: JSON.stringify({
      toEmail: "info@skies.example",
      subject: "Contact Form: Hello",
      message: "<p>A question</p>",
    }),
  });
  expect(reply.status).toBe(202);
  await expect.poll(() => received("info@skies.example")).toHaveLength(1);
  const [letter] = await received("info@skies.example");
  expect(letter?.text).toContain("A question");
  expect(letter?.text).not.toContain("through Skies");
});
