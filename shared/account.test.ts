import { expect, test } from "vitest";
import { textsIn } from "../tests/support/texts.ts";
import { Address, Credentials, Name, Registration } from "./account.ts";
import { LONGEST_EMAIL, LONGEST_NAME, SHORTEST_PASSWORD } from "./credentials.ts";

const email = "ada@example.com";
const password = "a chair in the garden";
const tooLongEmail = `${"a".repeat(LONGEST_EMAIL)}@example.com`;
const tooLongName = "N".repeat(LONGEST_NAME + 1);

test.each([
  [Registration, { fullName: tooLongName, email, password }, LONGEST_NAME],
  [Registration, { fullName: "Ada", email: tooLongEmail, password }, LONGEST_EMAIL],
  [Registration, { fullName: "Ada", email, password: "short" }, SHORTEST_PASSWORD],
  [Credentials, { email: tooLongEmail, password }, LONGEST_EMAIL],
  [Address, { email: tooLongEmail }, LONGEST_EMAIL],
  [Name, { fullName: tooLongName }, LONGEST_NAME],
])("a value beyond a limit has an error that names the limit, in both languages (%#)", (schema, values, limit) => {
  const problems = schema.safeParse(values).error?.issues.map(({ message }) => message);
  expect(problems).toHaveLength(1);
  for (const language of ["en", "it"] as const)
    expect(textsIn(language)(`account:problem.${problems?.[0]}`)).toContain(`${limit}`);
});

test("a name and an address at the limit are accepted", () => {
  const longest = `${"a".repeat(LONGEST_EMAIL - "@example.com".length)}@example.com`;
  const values = { fullName: "N".repeat(LONGEST_NAME), email: longest, password };
  expect(Registration.safeParse(values).success).toBe(true);
});
