import { RequestError } from "../../shared/request-error.ts";
import { OpenWall } from "../../shared/wall.ts";
import { openedWall } from "../sharing/walls.ts";
import { endpoint } from "./endpoint.ts";

/**
 * POST /functions/v1/open-wall: resolves the address of a wall to a token for its screen, which reads what the wall
 * shows and nothing else. A wall that is off, has ended or belongs to a deleted memory is answered like an unknown one.
 */
export const openWall = endpoint(
  { ownPagesOnly: true, caller: "unidentified", body: OpenWall },
  async ({ db, tokens, body: { wallId } }) => {
    const wall = await openedWall({ db, tokens }, wallId);
    if (!wall) throw new RequestError("wall_off");
    return wall;
  },
);
