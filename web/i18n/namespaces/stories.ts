import en from "../en/stories.json";
import it from "../it/stories.json";
import { addNamespace } from "../resources.ts";

addNamespace("stories", { en, it });
