import { expect } from "@playwright/test";
import { receiveFiles } from "../files-to-upload.ts";
import { memoryWith } from "../gallery.ts";
import { manyMemories } from "../many-memories.ts";
import { photoPaths } from "../photos.ts";
import { click, dialog, heading, type Setup, screenArea, text } from "./screen.ts";

/** People with and without memories, with a full plan and one whose plan has ended. */
async function prepare({ server, person }: Setup) {
  const [ada, fresh, full, lapsed, ending, many] = await Promise.all([
    person("Ada", { plan: "skies-memories" }),
    person("Bea"),
    person("Full"),
    person("Lapsed", { plan: "skies-memories" }),
    person("Ending", { plan: "skies-memories" }),
    person("Many", { plan: "skies-memories" }),
  ]);
  await manyMemories(many, 60);
  const { data: drawer } = await many.client
    .from("albums")
    .insert({ name: "Drawer" })
    .select("id")
    .single()
    .throwOnError();
  const { id } = await memoryWith(ada, await photoPaths("gps-nikon.jpg"));
  const { data: album } = await ada.client
    .from("albums")
    .insert({ name: "Famiglia Bellini" })
    .select("id")
    .single()
    .throwOnError();
  const { data: other } = await ada.client
    .from("memories")
    .insert([
      { person_name: "Estate al lago", draft: false },
      { person_name: "Zia Pia", draft: false },
    ])
    .select("id")
    .throwOnError();
  await ada.client.rpc("put_in_album", { album_id: album.id, ids: [id, other[0]?.id] }).throwOnError();
  await full.client.from("memories").insert({ person_name: "Aldo" }).throwOnError();
  await ada.client.from("invitations").insert({ memory_id: id, email: fresh.email, role: "viewer" }).throwOnError();
  await server
    .service()
    .from("memory_members")
    .insert([full, many].map((one) => ({ memory_id: id, user_id: one.id, role: "contributor" })))
    .throwOnError();
  await full.client.from("comments").insert({ memory_id: id, body: "She sang" }).throwOnError();
  await ada.client.from("stories").insert({ memory_id: id, title: "The lake", body: "<p>We swam.</p>" }).throwOnError();
  await ada.client.from("stories").delete().eq("memory_id", id).throwOnError();
  await full.client.from("stories").insert({ memory_id: id, body: "<p>Not this.</p>" }).throwOnError();
  await full.client.from("stories").delete().eq("memory_id", id).throwOnError();
  const plans = server.service().from("user_subscriptions");
  await plans.update({ starts_at: "2020-01-01", expires_at: "2021-03-04" }).eq("user_id", lapsed.id).throwOnError();
  const soon = new Date(Date.now() + 6.5 * 24 * 3600 * 1000).toISOString();
  await server
    .service()
    .from("user_subscriptions")
    .update({ expires_at: soon })
    .eq("user_id", ending.id)
    .throwOnError();
  return {
    ada,
    fresh,
    full,
    lapsed,
    ending,
    many,
    empty: await person("Empty"),
    id,
    albumId: String(album.id),
    drawerId: String(drawer.id),
  };
}

type Data = Awaited<ReturnType<typeof prepare>>;

const asAda = ({ ada }: Data) => ada;
const album = ({ albumId }: Data) => `/groups/${albumId}`;

export const memberScreens = screenArea("what a member keeps", prepare, [
  {
    route: "/",
    state: "without a memory",
    path: "/",
    as: ({ empty }) => empty,
    enter: text("memories:list.emptyTitle"),
  },
  {
    route: "/",
    state: "with memories",
    path: "/",
    as: asAda,
    enter: (page) => expect(page.getByText("Zia Pia")).toBeVisible(),
  },
  {
    route: "/",
    state: "with many memories",
    path: "/",
    as: ({ many }) => many,
    enter: (page, say) => expect(page.getByRole("textbox", { name: say("memories:list.find") })).toBeVisible(),
  },
  {
    route: "/",
    state: "looking for a memory that is not there",
    path: "/?find=Nobody",
    as: ({ many }) => many,
    enter: text("memories:list.notFound", { text: "Nobody" }),
  },
  {
    route: "/",
    state: "with an invitation",
    path: "/",
    as: ({ fresh }) => fresh,
    enter: heading("people:mine.invites", { inviter: "Ada", name: "Rosa Bellini" }),
  },
  { route: "/", state: "with the notices open", path: "/", as: asAda, enter: dialog("notices:bellWith_one") },
  {
    route: "/home",
    state: "as a member",
    path: "/home",
    as: asAda,
    enter: (page, say) => expect(page.getByRole("link", { name: say("home:member.memories") })).toBeVisible(),
  },
  {
    route: "/memory/new",
    state: "empty",
    path: "/memory/new",
    as: ({ empty }) => empty,
    enter: (page, say) => expect(page.getByRole("button", { name: say("memories:new.create") })).toBeVisible(),
  },
  {
    route: "/memory/new",
    state: "beyond the plan",
    path: "/memory/new",
    as: ({ full }) => full,
    enter: heading("plans:memoryLimit.title", { count: 1 }),
  },
  {
    route: "/groups",
    state: "with an album",
    path: "/groups",
    as: asAda,
    enter: (page) => expect(page.getByText("Famiglia Bellini")).toBeVisible(),
  },
  { route: "/groups", state: "empty", path: "/groups", as: ({ empty }) => empty, enter: text("albums:emptyTitle") },
  {
    route: "/groups/:id",
    state: "with memories",
    path: album,
    as: asAda,
    enter: (page) => expect(page.locator("[data-arranged] h2")).toHaveCount(2),
  },
  {
    route: "/groups/:id",
    state: "adding memories",
    path: album,
    as: asAda,
    async enter(page, say) {
      await click(page, say("albums:put"));
      await expect(page.getByRole("checkbox").first()).toBeVisible();
    },
  },
  {
    route: "/groups/:id",
    state: "arranging",
    path: album,
    as: asAda,
    async enter(page, say) {
      await click(page, say("albums:arrange"));
      await expect(
        page.getByRole("button", { name: say("albums:order.move", { name: "Rosa Bellini" }) }),
      ).toBeVisible();
    },
  },
  {
    route: "/groups/:id",
    state: "choosing among many memories",
    path: ({ drawerId }) => `/groups/${drawerId}`,
    as: ({ many }) => many,
    async enter(page, say) {
      await page
        .getByRole("button", { name: say("albums:put") })
        .first()
        .click();
      await expect(page.getByRole("textbox", { name: say("memories:list.find") })).toBeVisible();
      await expect(page.getByRole("checkbox").first()).toBeVisible();
    },
  },
  {
    route: "/shop",
    state: "with many memories for the card",
    path: "/shop",
    as: ({ many }) => many,
    async enter(page, say) {
      await page.getByRole("textbox", { name: say("cards:words.memoryFind") }).fill("Nobody");
      await expect(page.getByText(say("cards:words.memoryNotFound", { text: "Nobody" }))).toBeVisible();
    },
  },
  { route: "/groups/:id", state: "sharing", path: album, as: asAda, enter: dialog("sharing:share") },
  {
    route: "/dashboard",
    state: "with memories",
    path: "/dashboard",
    as: asAda,
    enter: text("dashboard:largest.title"),
  },
  {
    route: "/dashboard",
    state: "with something in the trash",
    path: "/dashboard#trash",
    as: asAda,
    enter: (page) => expect(page.getByRole("region").getByText("The lake")).toBeVisible(),
  },
  {
    route: "/dashboard",
    state: "about to empty the trash",
    path: "/dashboard#trash",
    as: asAda,
    enter: dialog("trash:emptyAll"),
  },
  {
    route: "/memory/:id",
    state: "with what was deleted from it",
    path: ({ id }) => `/memory/${id}`,
    as: asAda,
    async enter(page, say) {
      await dialog("trash:title")(page, say);
      await expect(page.getByRole("dialog").getByText("The lake")).toBeVisible();
    },
  },
  {
    route: "/dashboard",
    state: "after a plan",
    path: "/dashboard",
    as: ({ lapsed }) => lapsed,
    enter: text("dashboard:plan.lapsedText"),
  },
  {
    route: "/notices",
    state: "with a notice",
    path: "/notices",
    as: asAda,
    enter: text("notices:said.comment", { who: "Full" }),
  },
  {
    route: "/add",
    state: "with nothing to add",
    path: "/add",
    as: asAda,
    enter: text("received:emptyTitle"),
  },
  {
    route: "/add",
    state: "with files of another app",
    path: "/add?lost",
    as: asAda,
    async enter(page, say) {
      await text("received:lostTitle")(page, say);
      await receiveFiles(page, ["lake.jpg", "boat.jpg"]);
      await page.goto("/add");
      await text("received:choose")(page, say);
    },
  },
  {
    route: "/search",
    state: "with results",
    path: "/search?q=est",
    as: asAda,
    enter: text("search:kinds.memory"),
  },
  {
    route: "/search",
    state: "before a word is typed",
    path: "/search",
    as: asAda,
    enter: heading("search:title"),
  },
  {
    route: "/search",
    state: "without results",
    path: "/search?q=zebra",
    as: asAda,
    enter: text("search:noneText"),
  },
  {
    route: "/subscribe",
    state: "near the end of a plan",
    path: "/subscribe",
    as: ({ ending }) => ending,
    enter: heading("pricing:subscribe.heading"),
  },
]);
