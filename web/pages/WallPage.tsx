import { Suspense } from "react";
import { useParams } from "react-router";
import { WallScreen } from "../features/wall/WallScreen.tsx";

/** `/wall/{wallId}`: the live wall of a memory, for a screen in a room. */
export default function WallPage() {
  const { wallId = "" } = useParams();
  return (
    <Suspense>
      <WallScreen key={wallId} wallId={wallId} />
    </Suspense>
  );
}
