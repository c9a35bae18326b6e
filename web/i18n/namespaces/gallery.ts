import en from "../en/gallery.json";
import it from "../it/gallery.json";
import { addNamespace } from "../resources.ts";

addNamespace("gallery", { en, it });
