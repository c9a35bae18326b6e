import en from "../en/video.json";
import it from "../it/video.json";
import { addWords } from "../resources.ts";

addWords("video", { en, it });
