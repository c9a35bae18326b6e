import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { changeSession, currentSession, SessionContext, useSession, useUser } from "./session.ts";

const ada = { id: "1", email: "ada@example.com", fullName: "Ada" };
const Name = () => useUser().fullName;
const State = () => useSession().state;

test("Spec §8: reading the session outside its provider is an error", () => {
  expect(() => renderToString(createElement(State))).toThrow("useSession must be used within a SessionProvider");
});

test("the session and its user are available inside the provider", () => {
  const inside = (node: React.ReactElement) =>
    renderToString(createElement(SessionContext, { value: { state: "signed in", user: ada } }, node));
  expect(inside(createElement(State))).toBe("signed in");
  expect(inside(createElement(Name))).toBe("Ada");
});

test("Spec §4: without a stored session the app starts signed out, and gets every real change once", () => {
  expect(currentSession.get()).toEqual({ state: "signed out" });
  const heard: string[] = [];
  const stop = currentSession.subscribe(() => heard.push(currentSession.get().state));
  changeSession({ state: "signed in", user: ada });
  changeSession({ state: "signed in", user: { ...ada } });
  changeSession({ state: "signed out" });
  stop();
  changeSession({ state: "signed in", user: ada });
  expect(heard).toEqual(["signed in", "signed out"]);
});
