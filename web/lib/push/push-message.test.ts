import { expect, test } from "vitest";
import { readPushMessage } from "./push-message.ts";

const message = { title: "Rosa", body: "Carla added a story", path: "/memory/1#story-2", tag: "1", unread: 3 };

test("a notification says and opens what the server sent", () => {
  expect(readPushMessage(JSON.stringify(message))).toEqual(message);
});

test.each(["", "{", "[]", "null", '{"title":"Rosa"}', JSON.stringify({ ...message, path: 7 })])(
  "a message that is none of ours shows nothing of its own: %s",
  (text) => expect(readPushMessage(text)).toBeUndefined(),
);

test.each(["//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example", "javascript:alert(1)"])(
  "a notification never opens another site: %s",
  (path) => expect(readPushMessage(JSON.stringify({ ...message, path }))).toBeUndefined(),
);
