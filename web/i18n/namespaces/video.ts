import en from "../en/video.json";
import it from "../it/video.json";
import { addNamespace } from "../resources.ts";

addNamespace("video", { en, it });
