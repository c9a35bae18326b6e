import { useOutletContext } from "react-router";
import { ShareWindow } from "./ShareWindow.tsx";

/** Shares the album in whose page it stands, and which hands itself down. */
export default function ShareAlbumButton() {
  const { id, name } = useOutletContext<{ id: string; name: string }>();
  return <ShareWindow of={{ kind: "album", id, name }} />;
}
