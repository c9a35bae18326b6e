import { expect, test } from "../support/e2e.ts";
import { invitationTo, makeMemory } from "../support/inviting.ts";
import { textsIn } from "../support/texts.ts";

const [sayHer, sayAda] = [textsIn("it"), textsIn("en")];
const PASSWORD = "a chair in the garden";

test("an invited aunt reads by her letter without a PIN, keeps the memory in an account, and is let in by it again", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  // The letter that is withdrawn at the end.
  expectedErrors.push(/open-share.*status of 401/);
  const ada = await person("Ada Rossi");
  const memoryId = await makeMemory(ada, "Nonna Maria");
  const link = await ada.client.from("share_links").select("id").eq("memory_id", memoryId).single().throwOnError();
  await ada.client.functions.invoke("share-pin", { body: { linkId: link.data.id, pin: "0417" } });
  const aunt = `aunt.${crypto.randomUUID().slice(0, 8)}@example.com`;
  const cousin = `cousin.${crypto.randomUUID().slice(0, 8)}@example.com`;

  const hers = await visit({ as: ada });
  await hers.goto(`/memory/${memoryId}`);
  await hers.getByRole("button", { name: sayAda("people:open"), exact: true }).click();
  for (const email of [aunt, cousin]) {
    await hers.getByLabel(sayAda("people:invite.email")).fill(email);
    await hers.getByRole("button", { name: sayAda("people:invite.submit") }).click();
    await expect(hers.getByRole("button", { name: sayAda("people:invitations.menu", { email }) })).toBeVisible();
  }

  const letter = await invitationTo(server, aunt);
  const requests: string[] = [];
  const reader = await visit({ language: "it", viewport: { width: 390, height: 844 } });
  reader.on("request", (request) => requests.push(`${request.url()} ${request.headers().referer ?? ""}`));
  await reader.goto(letter.shared);
  await expect(reader.getByRole("heading", { level: 1, name: "Nonna Maria" })).toBeVisible();
  expect(new URL(letter.shared).hash).toMatch(/^#invitation=[0-9a-f]{64}$/);
  expect(new URL(reader.url()).hash).toBe("");
  const token = letter.shared.split("#invitation=")[1] ?? "";
  expect(requests.filter((request) => request.includes(token))).toEqual([]);
  await reader.reload();
  await expect(reader.getByRole("heading", { level: 1, name: "Nonna Maria" })).toBeVisible();

  const offer = reader.getByRole("complementary", { name: sayHer("sharing:letter.title") });
  await offer.getByRole("link", { name: sayHer("sharing:letter.keep") }).click();
  await expect(reader.getByLabel(sayHer("account:email"))).toHaveValue(aunt);
  await reader.getByLabel(sayHer("account:fullName")).fill("Zia Pina");
  await reader.getByLabel(sayHer("account:password"), { exact: true }).fill(PASSWORD);
  await reader.getByRole("button", { name: sayHer("account:register.submit") }).click();
  await expect(reader).toHaveURL(`${server.url}/memory/${memoryId}`);
  await expect(reader.getByRole("heading", { level: 1, name: "Nonna Maria" })).toBeVisible();
  const { data: people } = await ada.client.rpc("memory_people", { memory_id: memoryId }).throwOnError();
  expect(people).toContainEqual({ id: expect.any(String), name: "Zia Pina", role: "viewer" });

  // Another device, next week: the same letter opens it still.
  const again = await visit({ language: "it" });
  await again.goto(letter.shared);
  await expect(again.getByText(sayHer("sharing:letter.accepted"))).toBeVisible();

  const withdrawn = await invitationTo(server, cousin);
  const other = await visit({ language: "it" });
  await other.goto(withdrawn.shared);
  await expect(other.getByRole("heading", { level: 1, name: "Nonna Maria" })).toBeVisible();
  await hers.getByRole("button", { name: sayAda("people:invitations.menu", { email: cousin }) }).click();
  await hers.getByRole("menuitem", { name: sayAda("people:invitations.withdraw") }).click();
  await expect(other.getByRole("heading", { name: sayHer("shareGate:open.invitation") })).toBeVisible();
  await expect(other.getByRole("heading", { level: 1, name: "Nonna Maria" })).toHaveCount(0);
});
