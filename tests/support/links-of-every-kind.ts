import type { SupabaseClient } from "@supabase/supabase-js";
import { pictureName } from "../../web/data/picture-name.ts";
import { newKey, sign } from "./guests.ts";
import { type Person, signUp, signUpWithPlan } from "./people.ts";
import type { TestServer } from "./server.ts";
import { newMemory, newRow, post, shareFirstLink } from "./sharing.ts";
import { jpeg } from "./uploads.ts";

/** An opened link: its kind, and its token with or without an account. */
interface OpenedLink {
  kind: string;
  token: string;
  signedIn: boolean;
}

/** A memory with contributions of several people, and its opened links. */
export interface LinksOfEveryKind {
  /** The owner. */
  ada: Person;
  /** A member of nothing, with whose account each link is opened a second time. */
  eve: Person;
  memoryId: string;
  photoName: string;
  links: OpenedLink[];
  /** The share ids of links without a secret. */
  shareIds: Record<string, string>;
  tokenOf(kind: string, signedIn?: boolean): string;
}

/** Opens a link of every kind, with and without an account, to a memory to which members and visitors have added. */
export async function openLinksOfEveryKind(server: TestServer): Promise<LinksOfEveryKind> {
  const [ada, bob, carla, dan, eve] = await Promise.all([
    signUpWithPlan(server, "Ada"),
    signUp(server, "Bob"),
    signUp(server, "Carla"),
    signUp(server, "Dan"),
    signUp(server, "Eve"),
  ]);
  const memory = await newMemory(ada.client, { person_name: "Nonna" });
  await shareFirstLink(ada.client, memory.id);
  for (const [person, role] of [
    [bob, "co-owner"],
    [carla, "contributor"],
    [dan, "viewer"],
  ] as const) {
    const row = [memory.id, person.id, role];
    await server.db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, $3)", row);
  }
  let photoName = "";
  for (const person of [ada, bob, carla]) photoName = await contribute(server, memory.id, person, carla);
  const links: OpenedLink[] = [];
  const world: LinksOfEveryKind = {
    ada,
    eve,
    memoryId: memory.id,
    photoName,
    links,
    shareIds: { first: memory.share_id },
    tokenOf(kind, signedIn = false) {
      const link = links.find((link) => link.kind === kind && link.signedIn === signedIn);
      if (!link) throw new Error(`No link of the kind ${kind} was opened`);
      return link.token;
    },
  };
  await openLinks(server, world, bob);
  return world;
}

/**
 * Adds a photo, a story, a comment that mentions somebody, an answer, reactions and a picture of the person. Resolves
 * to the photo's name.
 */
async function contribute(server: TestServer, memoryId: string, { id, client }: Person, mentioned: Person) {
  const name = `${memoryId}/${crypto.randomUUID()}.jpg`;
  const picture = await jpeg(48, 32);
  for (const { error } of [
    await client.storage.from("media").upload(name, picture),
    await client.storage.from("avatars").upload(await pictureName(id), picture, { contentType: "image/jpeg" }),
  ])
    if (error) throw error;
  await server.db.query("update media set state = 'ready'");
  await newRow(client, "stories", { memory_id: memoryId, body: "<p>Once.</p>" });
  const comment = await newRow(client, "comments", {
    memory_id: memoryId,
    body: "Ask Carla",
    mentions: [mentioned.id],
  });
  await newRow(client, "comments", { memory_id: memoryId, parent_id: comment.id, body: "I did" });
  for (const on of [{}, { comment_id: comment.id }]) {
    await client
      .from("reactions")
      .insert({ memory_id: memoryId, kind: "heart", ...on })
      .throwOnError();
  }
  return name;
}

async function openLinks(server: TestServer, world: LinksOfEveryKind, coOwner: Person) {
  const { ada, eve, memoryId, links, shareIds, tokenOf } = world;
  const opened = async (kind: string, body: object) => {
    for (const signedIn of [false, true]) {
      const answer = await post(server, "open-share", body, signedIn ? bearer(eve) : {});
      if (answer.status !== 200) throw new Error(`The link of the kind ${kind} did not open`);
      links.push({ kind, signedIn, token: String(answer.body.token) });
    }
  };
  const album = await newRow(ada.client, "albums", { name: "Family" });
  await ada.client.rpc("put_in_album", { album_id: album.id, ids: [memoryId] }).throwOnError();
  for (const rights of ["view", "comment", "contribute", "upload"]) {
    const link = await newRow(coOwner.client, "share_links", { memory_id: memoryId, rights }, "share_id");
    shareIds[rights] = link.share_id;
    await opened(rights, { shareId: link.share_id });
  }
  const signed = await sign(server, tokenOf("contribute"), { guestKey: newKey() });
  links.push({ kind: "a guest", signedIn: false, token: String(signed.body.token) });
  for (const token of [tokenOf("a guest"), tokenOf("contribute", true)]) await write(server.client(token), memoryId);

  const withPin = await newRow(ada.client, "share_links", { memory_id: memoryId }, "id", "share_id");
  await post(server, "share-pin", { linkId: withPin.id, pin: "0417" }, bearer(ada));
  await opened("a PIN", { shareId: withPin.share_id, pin: "0417" });
  const ofAlbum = await newRow(ada.client, "share_links", { album_id: album.id }, "share_id");
  shareIds.album = ofAlbum.share_id;
  await opened("an album", { shareId: ofAlbum.share_id });
  for (const role of ["viewer", "contributor", "co-owner"]) {
    const address = `${role}@example.com`;
    const invitation = await newRow(ada.client, "invitations", { memory_id: memoryId, email: address, role });
    const letter = await ada.client
      .rpc("invitation_email", { invitation_id: invitation.id })
      .single<{ share_id: string; token: string }>()
      .throwOnError();
    await opened(`a letter to a ${role}`, { shareId: letter.data.share_id, invitation: letter.data.token });
  }
  const { rows } = await server.db.query<{ code: string }>(
    `insert into metal_cards (user_id, memory_id, link_id, making) select $1, l.memory_id, l.id, 'sent'
     from share_links l where l.memory_id = $2 and l.is_first returning code`,
    [ada.id, memoryId],
  );
  const card = await post(server, "open-card", { code: rows[0]?.code });
  await opened("a card", { shareId: card.body.shareId });
  const wall = await newRow(ada.client, "walls", { memory_id: memoryId }, "wall_id");
  const screen = await post(server, "open-wall", { wallId: wall.wall_id });
  links.push({ kind: "a wall", signedIn: false, token: String(screen.body.token) });
}

const bearer = ({ token }: Person): Record<string, string> => ({ authorization: `Bearer ${token}` });

async function write(client: SupabaseClient, memoryId: string) {
  await client.from("comments").insert({ memory_id: memoryId, body: "From afar" }).throwOnError();
  await client.from("stories").insert({ memory_id: memoryId, body: "<p>From afar</p>" }).throwOnError();
}
