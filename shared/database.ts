// Written by `npm run types` from the migrations (a497afd741ca8d25). Do not edit.
import type { Delivery } from "./card.ts";
import type { Currency } from "./money.ts";

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: { PostgrestVersion: "13" };
  public: {
    Tables: {
      affiliate_clicks: {
        Row: {
          affiliate_id: string;
          clicks: number;
          day: string;
        };
        Insert: {
          affiliate_id: string;
          clicks?: number;
          day?: string;
        };
        Update: {
          affiliate_id?: string;
          clicks?: number;
          day?: string;
        };
        Relationships: [
          {
            foreignKeyName: "affiliate_clicks_affiliate_id_fkey";
            columns: ["affiliate_id"];
            isOneToOne: false;
            referencedRelation: "affiliates";
            referencedColumns: ["id"];
          },
        ];
      };
      affiliates: {
        Row: {
          /** What their link carries, ?ref={code}. The server makes it, and it stays theirs also when they leave and come back. */
          code: string;
          created_at: string;
          id: string;
          /** active; paused by an administrator; left by themselves. Only what was bought by way of an active one earns anything. */
          state: "active" | "paused" | "left";
          user_id: string | null;
        };
        Insert: {
          code?: string;
          created_at?: string;
          id?: string;
          state?: "active" | "paused" | "left";
          user_id?: string | null;
        };
        Update: {
          code?: string;
          created_at?: string;
          id?: string;
          state?: "active" | "paused" | "left";
          user_id?: string | null;
        };
        Relationships: [];
      };
      albums: {
        Row: {
          cover_media_id: string | null;
          created_at: string;
          /** When it was moved to the trash; no caller sees the row until it is restored. */
          deleted_at: string | null;
          id: string;
          name: string;
          /** Its place among its owner's albums; equal ones stand as they were made. */
          position: number;
          updated_at: string;
          user_id: string;
        };
        Insert: {
          cover_media_id?: string | null;
          created_at?: string;
          deleted_at?: string | null;
          id?: string;
          name: string;
          position?: number;
          updated_at?: string;
          user_id?: string;
        };
        Update: {
          cover_media_id?: string | null;
          created_at?: string;
          deleted_at?: string | null;
          id?: string;
          name?: string;
          position?: number;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "albums_cover_media_id_fkey";
            columns: ["cover_media_id"];
            isOneToOne: false;
            referencedRelation: "media";
            referencedColumns: ["id"];
          },
        ];
      };
      card_deliveries: {
        Row: {
          address: Delivery | null;
          card_id: string;
          carrier: string;
          order_id: string | null;
          tracking_number: string;
          tracking_url: string;
          user_id: string;
        };
        Insert: {
          address?: Delivery | null;
          card_id: string;
          carrier?: string;
          order_id?: string | null;
          tracking_number?: string;
          tracking_url?: string;
          user_id?: string;
        };
        Update: {
          address?: Delivery | null;
          card_id?: string;
          carrier?: string;
          order_id?: string | null;
          tracking_number?: string;
          tracking_url?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "card_deliveries_card_id_fkey";
            columns: ["card_id"];
            isOneToOne: true;
            referencedRelation: "metal_cards";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "card_deliveries_order_id_fkey";
            columns: ["order_id"];
            isOneToOne: false;
            referencedRelation: "orders";
            referencedColumns: ["id"];
          },
        ];
      };
      card_secrets: {
        Row: {
          card_id: string;
          hash: string;
        };
        Insert: {
          card_id: string;
          hash: string;
        };
        Update: {
          card_id?: string;
          hash?: string;
        };
        Relationships: [
          {
            foreignKeyName: "card_secrets_card_id_fkey";
            columns: ["card_id"];
            isOneToOne: true;
            referencedRelation: "metal_cards";
            referencedColumns: ["id"];
          },
        ];
      };
      cart_items: {
        Row: {
          additional_cards: number;
          created_at: string;
          currency: "GBP" | "EUR";
          id: string;
          /** What it is, once more as Spec §3 has it (plan_id, product_id, additional_cards, quantity), and what else belongs to it, as the words on a card. */
          item: Record<string, Json>;
          plan_id: string | null;
          /** Of one of it, in pounds or euros, as the catalogue says: whatever the browser sends is overwritten. Cards beside a plan cost what cards cost. */
          price: number;
          product_id: string | null;
          quantity: number;
          user_id: string;
        };
        Insert: {
          additional_cards?: number;
          created_at?: string;
          currency?: "GBP" | "EUR";
          id?: string;
          item?: Record<string, Json>;
          plan_id?: string | null;
          price?: number;
          product_id?: string | null;
          quantity?: number;
          user_id?: string;
        };
        Update: {
          additional_cards?: number;
          created_at?: string;
          currency?: "GBP" | "EUR";
          id?: string;
          item?: Record<string, Json>;
          plan_id?: string | null;
          price?: number;
          product_id?: string | null;
          quantity?: number;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "cart_items_plan_id_fkey";
            columns: ["plan_id"];
            isOneToOne: false;
            referencedRelation: "subscription_plans";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "cart_items_product_id_fkey";
            columns: ["product_id"];
            isOneToOne: false;
            referencedRelation: "products";
            referencedColumns: ["id"];
          },
        ];
      };
      comment_credits: {
        Row: {
          comment_id: string;
          memory_id: string;
          name: string;
          /** Its words as they were written, where they mention somebody: in the comment itself "@…" stands for each name. Null where that says all. */
          words: string | null;
        };
        Insert: {
          comment_id: string;
          memory_id: string;
          name: string;
          words?: string | null;
        };
        Update: {
          comment_id?: string;
          memory_id?: string;
          name?: string;
          words?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "comment_credits_comment_id_memory_id_fkey";
            columns: ["comment_id", "memory_id"];
            isOneToOne: true;
            referencedRelation: "comments";
            referencedColumns: ["id", "memory_id"];
          },
        ];
      };
      comments: {
        Row: {
          body: string;
          created_at: string;
          /** Withdrawn while it had answers: its words are in the trash or gone, its place stays. */
          deleted_at: string | null;
          edited_at: string | null;
          /** As for media. */
          guest_id: string | null;
          id: string;
          media_id: string | null;
          memory_id: string;
          /** The people of the memory whom it names. */
          mentions: string[];
          /** As for media. */
          moderation: "shown" | "held" | "hidden";
          /** The comment it answers: always one that answers none itself, so that a conversation has two levels. */
          parent_id: string | null;
          /** Who wrote it and may change or withdraw it; null once their account is gone. */
          user_id: string | null;
        };
        Insert: {
          body: string;
          created_at?: string;
          deleted_at?: string | null;
          edited_at?: string | null;
          guest_id?: string | null;
          id?: string;
          media_id?: string | null;
          memory_id: string;
          mentions?: string[];
          moderation?: "shown" | "held" | "hidden";
          parent_id?: string | null;
          user_id?: string | null;
        };
        Update: {
          body?: string;
          created_at?: string;
          deleted_at?: string | null;
          edited_at?: string | null;
          guest_id?: string | null;
          id?: string;
          media_id?: string | null;
          memory_id?: string;
          mentions?: string[];
          moderation?: "shown" | "held" | "hidden";
          parent_id?: string | null;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "about_a_photo_of_the_memory";
            columns: ["media_id", "memory_id"];
            isOneToOne: false;
            referencedRelation: "media";
            referencedColumns: ["id", "memory_id"];
          },
          {
            foreignKeyName: "answers_in_the_same_memory";
            columns: ["parent_id", "memory_id"];
            isOneToOne: false;
            referencedRelation: "comments";
            referencedColumns: ["id", "memory_id"];
          },
          {
            foreignKeyName: "comments_guest_id_fkey";
            columns: ["guest_id"];
            isOneToOne: false;
            referencedRelation: "guests";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "comments_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      commissions: {
        Row: {
          affiliate_id: string;
          amount: number;
          /** What was paid without tax, in pence or cents, as all money here. */
          base: number;
          currency: "GBP" | "EUR";
          earned: number;
          earned_at: string;
          /** While the payment is disputed nobody knows whose the money is, so it is not paid out. */
          held: boolean;
          id: string;
          order_id: string;
          /** 30 days after the payment: by then nearly everything has gone back that will. */
          payable_at: string;
          /** What was taken back of it, as money went back to the buyer; amount, what remains, is 30 % of what remains paid. */
          reversed: number;
        };
        Insert: {
          affiliate_id: string;
          amount?: never;
          base: number;
          currency: "GBP" | "EUR";
          earned: number;
          earned_at: string;
          held?: boolean;
          id?: string;
          order_id: string;
          payable_at: string;
          reversed?: number;
        };
        Update: {
          affiliate_id?: string;
          amount?: never;
          base?: number;
          currency?: "GBP" | "EUR";
          earned?: number;
          earned_at?: string;
          held?: boolean;
          id?: string;
          order_id?: string;
          payable_at?: string;
          reversed?: number;
        };
        Relationships: [
          {
            foreignKeyName: "commissions_affiliate_id_fkey";
            columns: ["affiliate_id"];
            isOneToOne: false;
            referencedRelation: "affiliates";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "commissions_order_id_fkey";
            columns: ["order_id"];
            isOneToOne: true;
            referencedRelation: "orders";
            referencedColumns: ["id"];
          },
        ];
      };
      email_preferences: {
        Row: {
          email: string;
          unsubscribed: boolean;
          updated_at: string;
        };
        Insert: {
          email?: string;
          unsubscribed?: boolean;
          updated_at?: string;
        };
        Update: {
          email?: string;
          unsubscribed?: boolean;
          updated_at?: string;
        };
        Relationships: [];
      };
      guests: {
        Row: {
          /** From then on they are nobody here. */
          blocked_at: string | null;
          created_at: string;
          /** Where their receipts go, as they gave it: nobody has confirmed it. Seen by themselves alone. */
          email: string | null;
          id: string;
          language: string;
          /** When they last came by the link. */
          last_seen: string;
          link_id: string;
          name: string;
          /** The address of the site they signed at, where their letters lead back to. */
          site: string;
          time_zone: string;
        };
        Insert: {
          blocked_at?: string | null;
          created_at?: string;
          email?: string | null;
          id?: string;
          language?: string;
          last_seen?: string;
          link_id: string;
          name: string;
          site?: string;
          time_zone?: string;
        };
        Update: {
          blocked_at?: string | null;
          created_at?: string;
          email?: string | null;
          id?: string;
          language?: string;
          last_seen?: string;
          link_id?: string;
          name?: string;
          site?: string;
          time_zone?: string;
        };
        Relationships: [
          {
            foreignKeyName: "guests_link_id_fkey";
            columns: ["link_id"];
            isOneToOne: false;
            referencedRelation: "share_links";
            referencedColumns: ["id"];
          },
        ];
      };
      handovers: {
        Row: {
          created_at: string;
          memory_id: string;
          to_user: string;
        };
        Insert: {
          created_at?: string;
          memory_id: string;
          to_user: string;
        };
        Update: {
          created_at?: string;
          memory_id?: string;
          to_user?: string;
        };
        Relationships: [
          {
            foreignKeyName: "handovers_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: true;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "handovers_memory_id_to_user_fkey";
            columns: ["memory_id", "to_user"];
            isOneToOne: true;
            referencedRelation: "memory_members";
            referencedColumns: ["memory_id", "user_id"];
          },
        ];
      };
      invitations: {
        Row: {
          /** The account that accepted it, which need not have the address that was invited. */
          accepted_by: string | null;
          created_at: string;
          email: string;
          id: string;
          invited_by: string | null;
          memory_id: string;
          note: string;
          role: "co-owner" | "contributor" | "viewer";
          /** When its letter last went out; null where it never did. */
          sent_at: string | null;
          settled_at: string | null;
          state: "open" | "accepted" | "declined" | "withdrawn";
        };
        Insert: {
          accepted_by?: string | null;
          created_at?: string;
          email: string;
          id?: string;
          invited_by?: string | null;
          memory_id: string;
          note?: string;
          role: "co-owner" | "contributor" | "viewer";
          sent_at?: string | null;
          settled_at?: string | null;
          state?: "open" | "accepted" | "declined" | "withdrawn";
        };
        Update: {
          accepted_by?: string | null;
          created_at?: string;
          email?: string;
          id?: string;
          invited_by?: string | null;
          memory_id?: string;
          note?: string;
          role?: "co-owner" | "contributor" | "viewer";
          sent_at?: string | null;
          settled_at?: string | null;
          state?: "open" | "accepted" | "declined" | "withdrawn";
        };
        Relationships: [
          {
            foreignKeyName: "invitations_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      link_versions: {
        Row: {
          link_id: string;
          /** As in share_links: whether what its holders add waits for a manager's yes. */
          moderated: boolean;
          /** As in share_links: whether its holders are told who added, told, said and gave what. */
          shows_names: boolean;
          version: number;
        };
        Insert: {
          link_id: string;
          moderated?: boolean;
          shows_names?: boolean;
          version: number;
        };
        Update: {
          link_id?: string;
          moderated?: boolean;
          shows_names?: boolean;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "link_versions_link_id_fkey";
            columns: ["link_id"];
            isOneToOne: true;
            referencedRelation: "share_links";
            referencedColumns: ["id"];
          },
        ];
      };
      media: {
        Row: {
          /** What is seen in it, for those who can not see it. */
          alt_text: string;
          caption: string;
          /** The dominant colour as #rrggbb. */
          colour: string | null;
          created_at: string;
          /** Whether a part of a photo's data is missing; the rest is shown. */
          damaged: boolean;
          /** Seconds of a video; null until known. */
          duration: number | null;
          height: number | null;
          id: string;
          is_cover: boolean;
          memory_id: string;
          /** Shown to everyone, held until a manager says yes, or hidden by one. Those two are seen by managers and its adder alone. Deleted: in the trash, seen by nobody. */
          moderation: "shown" | "held" | "hidden";
          object_name: string;
          /** A tiny blurred picture as a data URL. */
          placeholder: string | null;
          /** The copy of a video that plays everywhere: null where nobody makes one, ready, unneeded because the original is such a one, or failed. */
          playback: "waiting" | "making" | "ready" | "unneeded" | "failed" | null;
          /** How much of that copy is made. */
          playback_progress: number | null;
          /** Its place in the managers' own order; null while it has none, which comes after those that have. */
          position: number | null;
          /** The object in the bucket posters that stands for a video before it plays. */
          poster_name: string | null;
          /** Bytes of the original. */
          size: number;
          /** waiting for its renditions, ready, or broken: stored, but nothing of it can be shown; only its managers and its adder see the row. */
          state: "waiting" | "ready" | "broken";
          /** The day on which it was taken, or as much as is known of it. A time that is written here is kept in media_details alone. */
          taken_at: string | null;
          /** What lists sort by, and then by time_order; null where nothing is known. */
          taken_order: string | null;
          /** Its place among those of the same day, of which it does not tell how far they are apart; null where no time is known, which comes first. */
          time_order: number | null;
          type: "image" | "video";
          updated_at: string;
          /** Pixels as seen upright; null until known. */
          width: number | null;
          content_hash: string | null;
          file_name: string | null;
          guest_id: string | null;
          taken_source: string | null;
          user_id: string | null;
        };
        Insert: {
          alt_text?: string;
          caption?: string;
          colour?: string | null;
          created_at?: string;
          damaged?: boolean;
          duration?: number | null;
          height?: number | null;
          id: string;
          is_cover?: boolean;
          memory_id: string;
          moderation?: "shown" | "held" | "hidden";
          object_name: string;
          placeholder?: string | null;
          playback?: "waiting" | "making" | "ready" | "unneeded" | "failed" | null;
          playback_progress?: number | null;
          position?: number | null;
          poster_name?: string | null;
          size: number;
          state?: "waiting" | "ready" | "broken";
          taken_at?: string | null;
          taken_order?: never;
          time_order?: number | null;
          type: "image" | "video";
          updated_at?: string;
          width?: number | null;
        };
        Update: {
          alt_text?: string;
          caption?: string;
          colour?: string | null;
          created_at?: string;
          damaged?: boolean;
          duration?: number | null;
          height?: number | null;
          id?: string;
          is_cover?: boolean;
          memory_id?: string;
          moderation?: "shown" | "held" | "hidden";
          object_name?: string;
          placeholder?: string | null;
          playback?: "waiting" | "making" | "ready" | "unneeded" | "failed" | null;
          playback_progress?: number | null;
          position?: number | null;
          poster_name?: string | null;
          size?: number;
          state?: "waiting" | "ready" | "broken";
          taken_at?: string | null;
          taken_order?: never;
          time_order?: number | null;
          type?: "image" | "video";
          updated_at?: string;
          width?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: "media_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      media_credits: {
        Row: {
          media_id: string;
          memory_id: string;
          name: string;
        };
        Insert: {
          media_id: string;
          memory_id: string;
          name: string;
        };
        Update: {
          media_id?: string;
          memory_id?: string;
          name?: string;
        };
        Relationships: [
          {
            foreignKeyName: "media_credits_media_id_memory_id_fkey";
            columns: ["media_id", "memory_id"];
            isOneToOne: true;
            referencedRelation: "media";
            referencedColumns: ["id", "memory_id"];
          },
        ];
      };
      media_details: {
        Row: {
          /** SHA-256 of the original in hex: the same file twice is known by it. */
          content_hash: string | null;
          file_name: string;
          /** What the file itself says, which a person may have corrected in taken_at. */
          file_taken_at: string | null;
          file_taken_source: string | null;
          /** Which guest added it; null for who is signed in, and once the guest's link is gone. */
          guest_id: string | null;
          media_id: string;
          memory_id: string;
          mime_type: string;
          /** When it was taken, by the clock where that was. */
          taken_at: string | null;
          taken_order: string | null;
          /** What says so: a tag in the file, the file beside it in an export, its name, or a person. An export and a name are guesses. */
          taken_source: "exif" | "xmp" | "iptc" | "png" | "video" | "takeout" | "name" | "person" | null;
          user_id: string | null;
        };
        Insert: {
          content_hash?: string | null;
          file_name?: string;
          file_taken_at?: string | null;
          file_taken_source?: string | null;
          guest_id?: string | null;
          media_id: string;
          memory_id: string;
          mime_type?: string;
          taken_at?: string | null;
          taken_order?: never;
          taken_source?: "exif" | "xmp" | "iptc" | "png" | "video" | "takeout" | "name" | "person" | null;
          user_id?: string | null;
        };
        Update: {
          content_hash?: string | null;
          file_name?: string;
          file_taken_at?: string | null;
          file_taken_source?: string | null;
          guest_id?: string | null;
          media_id?: string;
          memory_id?: string;
          mime_type?: string;
          taken_at?: string | null;
          taken_order?: never;
          taken_source?: "exif" | "xmp" | "iptc" | "png" | "video" | "takeout" | "name" | "person" | null;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "media_details_guest_id_fkey";
            columns: ["guest_id"];
            isOneToOne: false;
            referencedRelation: "guests";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "media_details_media_id_memory_id_fkey";
            columns: ["media_id", "memory_id"];
            isOneToOne: true;
            referencedRelation: "media";
            referencedColumns: ["id", "memory_id"];
          },
        ];
      };
      memories: {
        Row: {
          /** The album it is in; null for none. */
          album_id: string | null;
          album_position: number;
          birth_date: string | null;
          /** The point of the cover that is never cut off, as a share of its width from the left. */
          cover_x: number;
          /** The same from the top. */
          cover_y: number;
          created_at: string;
          /** When it was moved to the trash; no caller sees the row until it is restored. */
          deleted_at: string | null;
          description: string;
          /** True while its owner is still making it; photos may already arrive. A draft has no link that opens. */
          draft: boolean;
          event_date: string | null;
          id: string;
          kind: "tribute" | "event";
          /** How its photos and videos are ordered for everyone who opens it: as taken, from the newest back, as added, or by hand. */
          media_order: "taken" | "newest" | "added" | "arranged";
          passing_date: string | null;
          /** Whom the tribute is to, or what the event is called. */
          person_name: string;
          updated_at: string;
          user_id: string;
          share_id: string | null;
        };
        Insert: {
          album_id?: string | null;
          album_position?: number;
          birth_date?: string | null;
          cover_x?: number;
          cover_y?: number;
          created_at?: string;
          deleted_at?: string | null;
          description?: string;
          draft?: boolean;
          event_date?: string | null;
          id?: string;
          kind?: "tribute" | "event";
          media_order?: "taken" | "newest" | "added" | "arranged";
          passing_date?: string | null;
          person_name?: string;
          updated_at?: string;
          user_id?: string;
        };
        Update: {
          album_id?: string | null;
          album_position?: number;
          birth_date?: string | null;
          cover_x?: number;
          cover_y?: number;
          created_at?: string;
          deleted_at?: string | null;
          description?: string;
          draft?: boolean;
          event_date?: string | null;
          id?: string;
          kind?: "tribute" | "event";
          media_order?: "taken" | "newest" | "added" | "arranged";
          passing_date?: string | null;
          person_name?: string;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "memories_album_id_fkey";
            columns: ["album_id", "user_id"];
            isOneToOne: false;
            referencedRelation: "albums";
            referencedColumns: ["id", "user_id"];
          },
        ];
      };
      memory_blocks: {
        Row: {
          blocked_by: string | null;
          created_at: string;
          guest_id: string | null;
          id: string;
          memory_id: string;
          /** As they were called then. */
          name: string;
          /** What they were in the memory, and are again once they are let back in. */
          role: "co-owner" | "contributor" | "viewer" | null;
          user_id: string | null;
        };
        Insert: {
          blocked_by?: string | null;
          created_at?: string;
          guest_id?: string | null;
          id?: string;
          memory_id: string;
          name?: string;
          role?: "co-owner" | "contributor" | "viewer" | null;
          user_id?: string | null;
        };
        Update: {
          blocked_by?: string | null;
          created_at?: string;
          guest_id?: string | null;
          id?: string;
          memory_id?: string;
          name?: string;
          role?: "co-owner" | "contributor" | "viewer" | null;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "memory_blocks_guest_id_fkey";
            columns: ["guest_id"];
            isOneToOne: false;
            referencedRelation: "guests";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "memory_blocks_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      memory_entries: {
        Row: {
          created_at: string;
          id: string;
          /** A photo of the same memory to stand beside it. */
          media_id: string | null;
          memory_id: string;
          note: string;
          /** As exactly as it is known; a part of a programme has one only where its day is not the event's. */
          on_date: string | null;
          place: string;
          /** The clock on the wall where it happens. */
          starts_at: string | null;
          title: string;
          updated_at: string;
        };
        Insert: {
          created_at?: string;
          id?: string;
          media_id?: string | null;
          memory_id: string;
          note?: string;
          on_date?: string | null;
          place?: string;
          starts_at?: string | null;
          title: string;
          updated_at?: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          media_id?: string | null;
          memory_id?: string;
          note?: string;
          on_date?: string | null;
          place?: string;
          starts_at?: string | null;
          title?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: "memory_entries_media_id_fkey";
            columns: ["media_id"];
            isOneToOne: false;
            referencedRelation: "media";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "memory_entries_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      memory_members: {
        Row: {
          created_at: string;
          memory_id: string;
          /** A co-owner does all that the owner does but delete it and hand it over; a contributor adds and comments; a viewer looks. */
          role: "co-owner" | "contributor" | "viewer";
          user_id: string;
        };
        Insert: {
          created_at?: string;
          memory_id: string;
          role: "co-owner" | "contributor" | "viewer";
          user_id: string;
        };
        Update: {
          created_at?: string;
          memory_id?: string;
          role?: "co-owner" | "contributor" | "viewer";
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "memory_members_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      memory_reminders: {
        Row: {
          created_at: string;
          memory_id: string;
          occasion: "birthday" | "passing" | "event";
        };
        Insert: {
          created_at?: string;
          memory_id: string;
          occasion: "birthday" | "passing" | "event";
        };
        Update: {
          created_at?: string;
          memory_id?: string;
          occasion?: "birthday" | "passing" | "event";
        };
        Relationships: [
          {
            foreignKeyName: "memory_reminders_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      memory_withdrawals: {
        Row: {
          created_at: string;
          id: number;
          ids: string[];
          kind: "media" | "broken" | "story" | "comment" | "reaction";
          memory_id: string;
        };
        Insert: {
          created_at?: string;
          id?: never;
          ids: string[];
          kind: "media" | "broken" | "story" | "comment" | "reaction";
          memory_id: string;
        };
        Update: {
          created_at?: string;
          id?: never;
          ids?: string[];
          kind?: "media" | "broken" | "story" | "comment" | "reaction";
          memory_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "memory_withdrawals_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      metal_cards: {
        Row: {
          /** Why it opens nothing at present. */
          blocked: "lost" | "disabled" | null;
          claimed_at: string | null;
          /** What its engraved code leads to, /c/{code}, whatever it opens: letters of Crockford's base 32. */
          code: string;
          created_at: string;
          dates: string;
          engraved_at: string | null;
          finish: "steel" | "gold" | "black";
          id: string;
          language: "en" | "it";
          /** The link it opens its memory by, made for it alone: what ends the link ends what the card opened. */
          link_id: string | null;
          /** waiting for its words, ordered as it stands, engraved, sent; or cancelled, as its order was paid back before it was engraved. */
          making: "waiting" | "ordered" | "engraved" | "sent" | "cancelled";
          memory_id: string | null;
          name: string;
          order_id: string | null;
          order_item_id: string | null;
          /** Which of its line of the order it is, so that no card is made twice. */
          place: number | null;
          sent_at: string | null;
          /** unclaimed, claimed, assigned, lost or disabled. */
          state: "unclaimed" | "claimed" | "assigned" | "lost" | "disabled";
          /** Who holds it: its buyer, until somebody claims it with the secret of its pack. */
          user_id: string | null;
        };
        Insert: {
          blocked?: "lost" | "disabled" | null;
          claimed_at?: string | null;
          code?: string;
          created_at?: string;
          dates?: string;
          engraved_at?: string | null;
          finish?: "steel" | "gold" | "black";
          id?: string;
          language?: "en" | "it";
          link_id?: string | null;
          making?: "waiting" | "ordered" | "engraved" | "sent" | "cancelled";
          memory_id?: string | null;
          name?: string;
          order_id?: string | null;
          order_item_id?: string | null;
          place?: number | null;
          sent_at?: string | null;
          state?: never;
          user_id?: string | null;
        };
        Update: {
          blocked?: "lost" | "disabled" | null;
          claimed_at?: string | null;
          code?: string;
          created_at?: string;
          dates?: string;
          engraved_at?: string | null;
          finish?: "steel" | "gold" | "black";
          id?: string;
          language?: "en" | "it";
          link_id?: string | null;
          making?: "waiting" | "ordered" | "engraved" | "sent" | "cancelled";
          memory_id?: string | null;
          name?: string;
          order_id?: string | null;
          order_item_id?: string | null;
          place?: number | null;
          sent_at?: string | null;
          state?: never;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "metal_cards_link_id_fkey";
            columns: ["link_id"];
            isOneToOne: true;
            referencedRelation: "share_links";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "metal_cards_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "metal_cards_order_id_fkey";
            columns: ["order_id"];
            isOneToOne: false;
            referencedRelation: "orders";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "metal_cards_order_item_id_fkey";
            columns: ["order_item_id"];
            isOneToOne: false;
            referencedRelation: "order_items";
            referencedColumns: ["id"];
          },
        ];
      };
      notice_preferences: {
        Row: {
          mail: "instantly" | "daily" | "weekly" | "never" | null;
          memory_id: string;
          paused_until: string | null;
          updated_at: string;
          user_id: string;
        };
        Insert: {
          mail?: "instantly" | "daily" | "weekly" | "never" | null;
          memory_id: string;
          paused_until?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Update: {
          mail?: "instantly" | "daily" | "weekly" | "never" | null;
          memory_id?: string;
          paused_until?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "notice_preferences_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      notice_settings: {
        Row: {
          /** The language their browser last showed; one that was chosen for the account comes before it. */
          language: "en" | "it" | null;
          /** How often notices are mailed; null: daily, and never where one only looks. */
          mail: "instantly" | "daily" | "weekly" | "never" | null;
          /** Until then, by their calendar, no reminders and no letters about notices. */
          paused_until: string | null;
          /** The IANA name of the zone the person's browser was last in: mornings are theirs. */
          time_zone: string | null;
          updated_at: string;
          user_id: string;
        };
        Insert: {
          language?: "en" | "it" | null;
          mail?: "instantly" | "daily" | "weekly" | "never" | null;
          paused_until?: string | null;
          time_zone?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Update: {
          language?: "en" | "it" | null;
          mail?: "instantly" | "daily" | "weekly" | "never" | null;
          paused_until?: string | null;
          time_zone?: string | null;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      notices: {
        Row: {
          /** Who adds, also without an account: what one of them adds is one notice until it is read. */
          actor_key: string;
          /** Whose act it is, by the name of that day; for an invitation its address where there is no name. */
          actor_name: string;
          comment_id: string | null;
          /** Photos and videos added, locks in a row, or years since the day that is remembered. */
          count: number;
          created_at: string;
          /** From when on a letter is owed for it; null where none is, or none any more. */
          email_due_since: string | null;
          id: string;
          kind: "comment" | "answer" | "mention" | "added" | "story" | "held" | "accepted" | "declined" | "offered" | "offer-declined" | "taken-over" | "locked" | "storage-75" | "storage-90" | "storage-full" | "birthday" | "passing" | "event";
          link_id: string | null;
          /** When it was last put into a letter, in the transaction that owes that letter to the outbox. */
          mailed_at: string | null;
          /** How much of its count earlier letters told of. */
          mailed_count: number;
          /** The photo it leads to: the one that is spoken of, or the first of those added last. */
          media_id: string | null;
          memory_id: string | null;
          /** The day on which it reminds of another: once a year each. */
          on_date: string | null;
          read_at: string | null;
          /** The first of what it counts; created_at is the last. */
          since: string;
          story_id: string | null;
          user_id: string;
        };
        Insert: {
          actor_key?: string;
          actor_name?: string;
          comment_id?: string | null;
          count?: number;
          created_at?: string;
          email_due_since?: string | null;
          id?: string;
          kind: "comment" | "answer" | "mention" | "added" | "story" | "held" | "accepted" | "declined" | "offered" | "offer-declined" | "taken-over" | "locked" | "storage-75" | "storage-90" | "storage-full" | "birthday" | "passing" | "event";
          link_id?: string | null;
          mailed_at?: string | null;
          mailed_count?: number;
          media_id?: string | null;
          memory_id?: string | null;
          on_date?: string | null;
          read_at?: string | null;
          since?: string;
          story_id?: string | null;
          user_id: string;
        };
        Update: {
          actor_key?: string;
          actor_name?: string;
          comment_id?: string | null;
          count?: number;
          created_at?: string;
          email_due_since?: string | null;
          id?: string;
          kind?: "comment" | "answer" | "mention" | "added" | "story" | "held" | "accepted" | "declined" | "offered" | "offer-declined" | "taken-over" | "locked" | "storage-75" | "storage-90" | "storage-full" | "birthday" | "passing" | "event";
          link_id?: string | null;
          mailed_at?: string | null;
          mailed_count?: number;
          media_id?: string | null;
          memory_id?: string | null;
          on_date?: string | null;
          read_at?: string | null;
          since?: string;
          story_id?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "notices_comment_id_fkey";
            columns: ["comment_id"];
            isOneToOne: false;
            referencedRelation: "comments";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "notices_link_id_fkey";
            columns: ["link_id"];
            isOneToOne: false;
            referencedRelation: "share_links";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "notices_media_id_fkey";
            columns: ["media_id"];
            isOneToOne: false;
            referencedRelation: "media";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "notices_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "notices_story_id_fkey";
            columns: ["story_id"];
            isOneToOne: false;
            referencedRelation: "stories";
            referencedColumns: ["id"];
          },
        ];
      };
      order_items: {
        Row: {
          /** The line of the cart that it was, which goes once it is paid. */
          cart_item_id: string | null;
          /** What belongs to this line alone, as the words on a card. */
          details: Json;
          discount: number;
          id: string;
          kind: "plan" | "card";
          order_id: string;
          plan_id: string | null;
          position: number;
          product_id: string | null;
          quantity: number;
          /** What the catalogue promised on that day: name, and of a plan max_memories, storage_gb, term_years, included_cards. Later changes do not touch it. */
          terms: { name: string; term_years?: number | null; included_cards?: number };
          total: number;
          unit_amount: number;
        };
        Insert: {
          cart_item_id?: string | null;
          details?: Json;
          discount?: number;
          id?: string;
          kind: "plan" | "card";
          order_id: string;
          plan_id?: string | null;
          position?: number;
          product_id?: string | null;
          quantity: number;
          terms?: { name: string; term_years?: number | null; included_cards?: number };
          total: number;
          unit_amount: number;
        };
        Update: {
          cart_item_id?: string | null;
          details?: Json;
          discount?: number;
          id?: string;
          kind?: "plan" | "card";
          order_id?: string;
          plan_id?: string | null;
          position?: number;
          product_id?: string | null;
          quantity?: number;
          terms?: { name: string; term_years?: number | null; included_cards?: number };
          total?: number;
          unit_amount?: number;
        };
        Relationships: [
          {
            foreignKeyName: "order_items_order_id_fkey";
            columns: ["order_id"];
            isOneToOne: false;
            referencedRelation: "orders";
            referencedColumns: ["id"];
          },
        ];
      };
      orders: {
        Row: {
          affiliate_code: string | null;
          cancel_url: string;
          created_at: string;
          currency: "GBP" | "EUR";
          /** Where cards go, as its buyer told the provider: {name, phone, address: {line1, line2, city, state, postal_code, country}}. */
          delivery: Json | null;
          /** What quantity and voucher take off together. */
          discount: number;
          discount_percentage: number | null;
          email: string;
          /** When the provider stops waiting for the payment. */
          expires_at: string;
          /** Names who buys what on which terms: a second click with the same one leads to the same order while that is pending. */
          fingerprint: string;
          id: string;
          language: "en" | "it";
          number: string;
          paid_at: string | null;
          payment_intent: string | null;
          provider_receipt: string | null;
          /** How much of the total was given back; what counts as earned is total - refunded. */
          refunded: number;
          refunded_at: string | null;
          /** Counts what was applied: what the provider said before that is asked for anew, so that nothing older overwrites it. */
          revision: number;
          session_id: string | null;
          /** The provider's page where it is paid. */
          session_url: string | null;
          status: "pending" | "paid" | "failed" | "expired" | "refunded" | "disputed";
          /** Pence or cents, as all money here: before discounts. */
          subtotal: number;
          success_url: string;
          /** The part of the total that is tax. */
          tax: number;
          /** What is paid, tax included. */
          total: number;
          user_id: string | null;
          voucher_code: string | null;
        };
        Insert: {
          affiliate_code?: string | null;
          cancel_url?: string;
          created_at?: string;
          currency: "GBP" | "EUR";
          delivery?: Json | null;
          discount?: number;
          discount_percentage?: number | null;
          email: string;
          expires_at?: string;
          fingerprint?: string;
          id?: string;
          language?: "en" | "it";
          number?: string;
          paid_at?: string | null;
          payment_intent?: string | null;
          provider_receipt?: string | null;
          refunded?: number;
          refunded_at?: string | null;
          revision?: number;
          session_id?: string | null;
          session_url?: string | null;
          status?: "pending" | "paid" | "failed" | "expired" | "refunded" | "disputed";
          subtotal: number;
          success_url?: string;
          tax?: number;
          total: number;
          user_id?: string | null;
          voucher_code?: string | null;
        };
        Update: {
          affiliate_code?: string | null;
          cancel_url?: string;
          created_at?: string;
          currency?: "GBP" | "EUR";
          delivery?: Json | null;
          discount?: number;
          discount_percentage?: number | null;
          email?: string;
          expires_at?: string;
          fingerprint?: string;
          id?: string;
          language?: "en" | "it";
          number?: string;
          paid_at?: string | null;
          payment_intent?: string | null;
          provider_receipt?: string | null;
          refunded?: number;
          refunded_at?: string | null;
          revision?: number;
          session_id?: string | null;
          session_url?: string | null;
          status?: "pending" | "paid" | "failed" | "expired" | "refunded" | "disputed";
          subtotal?: number;
          success_url?: string;
          tax?: number;
          total?: number;
          user_id?: string | null;
          voucher_code?: string | null;
        };
        Relationships: [];
      };
      payouts: {
        Row: {
          affiliate_id: string;
          amount: number;
          currency: "GBP" | "EUR";
          id: string;
          paid_at: string;
          recorded_by: string | null;
          reference: string;
        };
        Insert: {
          affiliate_id: string;
          amount: number;
          currency: "GBP" | "EUR";
          id?: string;
          paid_at?: string;
          recorded_by?: string | null;
          reference?: string;
        };
        Update: {
          affiliate_id?: string;
          amount?: number;
          currency?: "GBP" | "EUR";
          id?: string;
          paid_at?: string;
          recorded_by?: string | null;
          reference?: string;
        };
        Relationships: [
          {
            foreignKeyName: "payouts_affiliate_id_fkey";
            columns: ["affiliate_id"];
            isOneToOne: false;
            referencedRelation: "affiliates";
            referencedColumns: ["id"];
          },
        ];
      };
      plan_prices: {
        Row: {
          /** In pence or cents. */
          amount: number;
          currency: "GBP" | "EUR";
          plan_id: string;
        };
        Insert: {
          amount: number;
          currency: "GBP" | "EUR";
          plan_id: string;
        };
        Update: {
          amount?: number;
          currency?: "GBP" | "EUR";
          plan_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "plan_prices_plan_id_fkey";
            columns: ["plan_id"];
            isOneToOne: false;
            referencedRelation: "subscription_plans";
            referencedColumns: ["id"];
          },
        ];
      };
      product_prices: {
        Row: {
          /** In pence or cents. */
          amount: number;
          currency: "GBP" | "EUR";
          product_id: string;
        };
        Insert: {
          amount: number;
          currency: "GBP" | "EUR";
          product_id: string;
        };
        Update: {
          amount?: number;
          currency?: "GBP" | "EUR";
          product_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "product_prices_product_id_fkey";
            columns: ["product_id"];
            isOneToOne: false;
            referencedRelation: "products";
            referencedColumns: ["id"];
          },
        ];
      };
      products: {
        Row: {
          id: string;
          name: string;
          position: number;
        };
        Insert: {
          id: string;
          name: string;
          position: number;
        };
        Update: {
          id?: string;
          name?: string;
          position?: number;
        };
        Relationships: [];
      };
      profiles: {
        Row: {
          created_at: string;
          full_name: string;
          id: string;
          updated_at: string;
        };
        Insert: {
          created_at?: string;
          full_name?: string;
          id: string;
          updated_at?: string;
        };
        Update: {
          created_at?: string;
          full_name?: string;
          id?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      quantity_discounts: {
        Row: {
          min_quantity: number;
          percentage: number;
          product_id: string;
        };
        Insert: {
          min_quantity: number;
          percentage: number;
          product_id: string;
        };
        Update: {
          min_quantity?: number;
          percentage?: number;
          product_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "quantity_discounts_product_id_fkey";
            columns: ["product_id"];
            isOneToOne: false;
            referencedRelation: "products";
            referencedColumns: ["id"];
          },
        ];
      };
      reaction_credits: {
        Row: {
          memory_id: string;
          name: string;
          reaction_id: string;
        };
        Insert: {
          memory_id: string;
          name: string;
          reaction_id: string;
        };
        Update: {
          memory_id?: string;
          name?: string;
          reaction_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "reaction_credits_reaction_id_memory_id_fkey";
            columns: ["reaction_id", "memory_id"];
            isOneToOne: true;
            referencedRelation: "reactions";
            referencedColumns: ["id", "memory_id"];
          },
        ];
      };
      reactions: {
        Row: {
          comment_id: string | null;
          created_at: string;
          /** As for media. */
          guest_id: string | null;
          id: string;
          kind: "candle" | "heart" | "flower" | "hug" | "smile";
          media_id: string | null;
          memory_id: string;
          /** As for media. */
          moderation: "shown" | "held" | "hidden";
          user_id: string | null;
        };
        Insert: {
          comment_id?: string | null;
          created_at?: string;
          guest_id?: string | null;
          id?: string;
          kind: "candle" | "heart" | "flower" | "hug" | "smile";
          media_id?: string | null;
          memory_id: string;
          moderation?: "shown" | "held" | "hidden";
          user_id?: string | null;
        };
        Update: {
          comment_id?: string | null;
          created_at?: string;
          guest_id?: string | null;
          id?: string;
          kind?: "candle" | "heart" | "flower" | "hug" | "smile";
          media_id?: string | null;
          memory_id?: string;
          moderation?: "shown" | "held" | "hidden";
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "reactions_guest_id_fkey";
            columns: ["guest_id"];
            isOneToOne: false;
            referencedRelation: "guests";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "reactions_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "to_a_comment_of_the_memory";
            columns: ["comment_id", "memory_id"];
            isOneToOne: false;
            referencedRelation: "comments";
            referencedColumns: ["id", "memory_id"];
          },
          {
            foreignKeyName: "to_a_photo_of_the_memory";
            columns: ["media_id", "memory_id"];
            isOneToOne: false;
            referencedRelation: "media";
            referencedColumns: ["id", "memory_id"];
          },
        ];
      };
      reports: {
        Row: {
          created_at: string;
          /** Where an answer may go, as it was given: nobody has confirmed it. */
          email: string | null;
          guest_id: string | null;
          id: string;
          /** The photo, story or comment; the memory itself where it is about all of it. */
          item_id: string;
          kind: "memory" | "media" | "story" | "comment";
          memory_id: string | null;
          outcome: "acted" | "nothing" | null;
          reason: "hurtful" | "private" | "not-theirs" | "unlawful" | "unwanted" | "other";
          settled_at: string | null;
          settled_by: string | null;
          user_id: string | null;
          words: string;
        };
        Insert: {
          created_at?: string;
          email?: string | null;
          guest_id?: string | null;
          id?: string;
          item_id: string;
          kind: "memory" | "media" | "story" | "comment";
          memory_id?: string | null;
          outcome?: "acted" | "nothing" | null;
          reason: "hurtful" | "private" | "not-theirs" | "unlawful" | "unwanted" | "other";
          settled_at?: string | null;
          settled_by?: string | null;
          user_id?: string | null;
          words?: string;
        };
        Update: {
          created_at?: string;
          email?: string | null;
          guest_id?: string | null;
          id?: string;
          item_id?: string;
          kind?: "memory" | "media" | "story" | "comment";
          memory_id?: string | null;
          outcome?: "acted" | "nothing" | null;
          reason?: "hurtful" | "private" | "not-theirs" | "unlawful" | "unwanted" | "other";
          settled_at?: string | null;
          settled_by?: string | null;
          user_id?: string | null;
          words?: string;
        };
        Relationships: [
          {
            foreignKeyName: "reports_guest_id_fkey";
            columns: ["guest_id"];
            isOneToOne: false;
            referencedRelation: "guests";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "reports_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      share_links: {
        Row: {
          /** The version under which its secret or its share id last changed: who entered since then is let in again without being asked. */
          admitted_since_version: number;
          album_id: string | null;
          /** Whether its holders may take copies with them, or only look. */
          allows_download: boolean;
          /** What its door asks for; null where it stands open. */
          asks: "pin" | "passphrase" | null;
          created_at: string;
          expires_at: string | null;
          /** Made for a metal card, of which a memory may have a hundred: shown apart from those that somebody made. */
          for_card: boolean;
          /** How many of its versions came of nothing but a memory put into its album; every other one closes what was prepared before it. */
          grown: number;
          has_pin: boolean | null;
          id: string;
          /** The invitation whose letters lead here. Such a link opens by the token of a letter alone, while the invitation is open or accepted. */
          invitation_id: string | null;
          /** Whether it was made with its memory, whose share_id it is. */
          is_first: boolean;
          label: string;
          /** Set while wrong PINs keep the link shut. */
          locked_until: string | null;
          memory_id: string | null;
          /** Whether what its holders add waits for a manager's yes. */
          moderated: boolean;
          /** From then on it opens nothing. */
          revoked_at: string | null;
          /** What its holders may do; "upload" adds without seeing what is there. */
          rights: "view" | "comment" | "contribute" | "upload";
          /** The identifier in /shared/{shareId}. Nobody but the managers may read it. */
          share_id: string;
          /** When a manager shared it. Until then it opens nothing: a first link is made by the server and wished for by nobody. */
          shared_at: string | null;
          /** Whether its holders are told who added, told, said and gave what. */
          shows_names: boolean;
          /** Raised by every change of what the link opens; tokens and media URLs made under an older one are dead. */
          version: number;
        };
        Insert: {
          admitted_since_version?: number;
          album_id?: string | null;
          allows_download?: boolean;
          asks?: "pin" | "passphrase" | null;
          created_at?: string;
          expires_at?: string | null;
          for_card?: boolean;
          grown?: number;
          has_pin?: never;
          id?: string;
          invitation_id?: string | null;
          is_first?: boolean;
          label?: string;
          locked_until?: string | null;
          memory_id?: string | null;
          moderated?: boolean;
          revoked_at?: string | null;
          rights?: "view" | "comment" | "contribute" | "upload";
          share_id?: string;
          shared_at?: string | null;
          shows_names?: boolean;
          version?: number;
        };
        Update: {
          admitted_since_version?: number;
          album_id?: string | null;
          allows_download?: boolean;
          asks?: "pin" | "passphrase" | null;
          created_at?: string;
          expires_at?: string | null;
          for_card?: boolean;
          grown?: number;
          has_pin?: never;
          id?: string;
          invitation_id?: string | null;
          is_first?: boolean;
          label?: string;
          locked_until?: string | null;
          memory_id?: string | null;
          moderated?: boolean;
          revoked_at?: string | null;
          rights?: "view" | "comment" | "contribute" | "upload";
          share_id?: string;
          shared_at?: string | null;
          shows_names?: boolean;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "share_links_album_id_fkey";
            columns: ["album_id"];
            isOneToOne: false;
            referencedRelation: "albums";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "share_links_invitation_id_fkey";
            columns: ["invitation_id"];
            isOneToOne: true;
            referencedRelation: "invitations";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "share_links_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      share_openings: {
        Row: {
          device: "" | "phone" | "tablet" | "computer";
          id: number;
          link_id: string;
          opened_at: string;
          /** How often in that hour, by the same kind of device. */
          times: number;
          /** Who opened it, where they were signed in; never guessed. */
          user_id: string | null;
        };
        Insert: {
          device?: "" | "phone" | "tablet" | "computer";
          id?: never;
          link_id: string;
          opened_at?: string;
          times?: number;
          user_id?: string | null;
        };
        Update: {
          device?: "" | "phone" | "tablet" | "computer";
          id?: never;
          link_id?: string;
          opened_at?: string;
          times?: number;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "share_openings_link_id_fkey";
            columns: ["link_id"];
            isOneToOne: false;
            referencedRelation: "share_links";
            referencedColumns: ["id"];
          },
        ];
      };
      share_pins: {
        Row: {
          hash: string;
          kind: "pin" | "passphrase";
          link_id: string;
        };
        Insert: {
          hash: string;
          kind?: "pin" | "passphrase";
          link_id: string;
        };
        Update: {
          hash?: string;
          kind?: "pin" | "passphrase";
          link_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "share_pins_link_id_fkey";
            columns: ["link_id"];
            isOneToOne: true;
            referencedRelation: "share_links";
            referencedColumns: ["id"];
          },
        ];
      };
      stories: {
        Row: {
          body: string;
          created_at: string;
          /** As for media. */
          guest_id: string | null;
          id: string;
          memory_id: string;
          /** Shown to everyone, held until a manager says yes, or hidden by one. Those two are seen by managers and their author alone. Deleted: in the trash, seen by nobody. */
          moderation: "shown" | "held" | "hidden";
          /** Its place among the memory's stories; a new one comes last. */
          position: number;
          title: string;
          updated_at: string;
          /** Who wrote it and may change or withdraw it; null once their account is gone: the story stays, as photos do. */
          user_id: string | null;
        };
        Insert: {
          body: string;
          created_at?: string;
          guest_id?: string | null;
          id?: string;
          memory_id: string;
          moderation?: "shown" | "held" | "hidden";
          position?: number;
          title?: string;
          updated_at?: string;
          user_id?: string | null;
        };
        Update: {
          body?: string;
          created_at?: string;
          guest_id?: string | null;
          id?: string;
          memory_id?: string;
          moderation?: "shown" | "held" | "hidden";
          position?: number;
          title?: string;
          updated_at?: string;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "stories_guest_id_fkey";
            columns: ["guest_id"];
            isOneToOne: false;
            referencedRelation: "guests";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "stories_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
        ];
      };
      story_credits: {
        Row: {
          memory_id: string;
          name: string;
          story_id: string;
        };
        Insert: {
          memory_id: string;
          name: string;
          story_id: string;
        };
        Update: {
          memory_id?: string;
          name?: string;
          story_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "story_credits_story_id_memory_id_fkey";
            columns: ["story_id", "memory_id"];
            isOneToOne: true;
            referencedRelation: "stories";
            referencedColumns: ["id", "memory_id"];
          },
        ];
      };
      subscription_plans: {
        Row: {
          id: string;
          included_cards: number;
          /** How many memories may be kept; null for as many as one likes. */
          max_memories: number | null;
          name: string;
          /** Its place among the plans, from the smallest on. */
          position: number;
          /** Storage in units of 1024³ bytes. */
          storage_gb: number;
          /** How long one payment lasts; null for a plan that never ends. */
          term_years: number | null;
        };
        Insert: {
          id: string;
          included_cards?: number;
          max_memories?: number | null;
          name: string;
          position: number;
          storage_gb: number;
          term_years?: number | null;
        };
        Update: {
          id?: string;
          included_cards?: number;
          max_memories?: number | null;
          name?: string;
          position?: number;
          storage_gb?: number;
          term_years?: number | null;
        };
        Relationships: [];
      };
      trash: {
        Row: {
          album_id: string | null;
          comment_id: string | null;
          deleted_at: string;
          deleted_by: string | null;
          guest_id: string | null;
          /** Of the row in the table of its kind. */
          id: string;
          kind: "media" | "story" | "comment" | "album" | "memory";
          media_id: string | null;
          /** The memory that it belongs to, or that it is; null for an album. */
          memory_id: string | null;
          story_id: string | null;
          /** What restoring puts back: its moderation, what was deleted with it, the words of a comment whose row stays. */
          was: Json;
        };
        Insert: {
          album_id?: never;
          comment_id?: never;
          deleted_at?: string;
          deleted_by?: string | null;
          guest_id?: string | null;
          id: string;
          kind: "media" | "story" | "comment" | "album" | "memory";
          media_id?: never;
          memory_id?: string | null;
          story_id?: never;
          was?: Json;
        };
        Update: {
          album_id?: never;
          comment_id?: never;
          deleted_at?: string;
          deleted_by?: string | null;
          guest_id?: string | null;
          id?: string;
          kind?: "media" | "story" | "comment" | "album" | "memory";
          media_id?: never;
          memory_id?: string | null;
          story_id?: never;
          was?: Json;
        };
        Relationships: [
          {
            foreignKeyName: "trash_album_id_fkey";
            columns: ["album_id"];
            isOneToOne: false;
            referencedRelation: "albums";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "trash_comment_id_fkey";
            columns: ["comment_id"];
            isOneToOne: false;
            referencedRelation: "comments";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "trash_guest_id_fkey";
            columns: ["guest_id"];
            isOneToOne: false;
            referencedRelation: "guests";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "trash_media_id_fkey";
            columns: ["media_id"];
            isOneToOne: false;
            referencedRelation: "media";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "trash_memory_id_fkey";
            columns: ["memory_id"];
            isOneToOne: false;
            referencedRelation: "memories";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "trash_story_id_fkey";
            columns: ["story_id"];
            isOneToOne: false;
            referencedRelation: "stories";
            referencedColumns: ["id"];
          },
        ];
      };
      user_subscriptions: {
        Row: {
          /** What was paid for it, in pence or cents; of a plan given by hand, what it would have cost. */
          amount: number;
          created_at: string;
          /** What the plans it replaced were still worth, in pence or cents; it lasts so much longer. */
          credit: number;
          currency: "GBP" | "EUR";
          /** It counts while its status is active and this lies ahead (Spec §4). */
          expires_at: string;
          id: string;
          max_memories: number | null;
          /** As sold, as are max_memories (null for as many as one likes), storage_gb and term_years. */
          name: string;
          order_id: string | null;
          /** What was bought; null for a plan given by hand. */
          order_item_id: string | null;
          plan_id: string;
          replaced_at: string | null;
          starts_at: string;
          /** active; waiting for the larger plan before it to end; replaced by a larger one, which its unused value went into; cancelled; refunded. */
          status: "active" | "waiting" | "replaced" | "cancelled" | "refunded";
          storage_gb: number;
          term_years: number | null;
          user_id: string;
        };
        Insert: {
          amount?: number;
          created_at?: string;
          credit?: number;
          currency?: "GBP" | "EUR";
          expires_at: string;
          id?: string;
          max_memories?: number | null;
          name?: string;
          order_id?: string | null;
          order_item_id?: string | null;
          plan_id: string;
          replaced_at?: string | null;
          starts_at?: string;
          status?: "active" | "waiting" | "replaced" | "cancelled" | "refunded";
          storage_gb?: number;
          term_years?: number | null;
          user_id: string;
        };
        Update: {
          amount?: number;
          created_at?: string;
          credit?: number;
          currency?: "GBP" | "EUR";
          expires_at?: string;
          id?: string;
          max_memories?: number | null;
          name?: string;
          order_id?: string | null;
          order_item_id?: string | null;
          plan_id?: string;
          replaced_at?: string | null;
          starts_at?: string;
          status?: "active" | "waiting" | "replaced" | "cancelled" | "refunded";
          storage_gb?: number;
          term_years?: number | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "user_subscriptions_order_id_fkey";
            columns: ["order_id"];
            isOneToOne: false;
            referencedRelation: "orders";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "user_subscriptions_order_item_id_fkey";
            columns: ["order_item_id"];
            isOneToOne: true;
            referencedRelation: "order_items";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "user_subscriptions_plan_id_fkey";
            columns: ["plan_id"];
            isOneToOne: false;
            referencedRelation: "subscription_plans";
            referencedColumns: ["id"];
          },
        ];
      };
      voucher_uses: {
        Row: {
          order_id: string;
          paid_at: string | null;
          /** What it took off that time. */
          percentage: number;
          /** When it was given back, because nothing came of the payment. */
          released_at: string | null;
          /** When the use was reserved: as the payment began. */
          used_at: string;
          user_id: string | null;
          voucher_id: string;
        };
        Insert: {
          order_id: string;
          paid_at?: string | null;
          percentage: number;
          released_at?: string | null;
          used_at?: string;
          user_id?: string | null;
          voucher_id: string;
        };
        Update: {
          order_id?: string;
          paid_at?: string | null;
          percentage?: number;
          released_at?: string | null;
          used_at?: string;
          user_id?: string | null;
          voucher_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "voucher_uses_order_id_fkey";
            columns: ["order_id"];
            isOneToOne: true;
            referencedRelation: "orders";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "voucher_uses_voucher_id_fkey";
            columns: ["voucher_id"];
            isOneToOne: false;
            referencedRelation: "vouchers";
            referencedColumns: ["id"];
          },
        ];
      };
      vouchers: {
        Row: {
          active: boolean;
          /** Whether it takes something off cards. */
          applies_to_cards: boolean;
          /** In capitals; people may write it as they like. */
          code: string;
          created_at: string;
          ends_at: string | null;
          id: string;
          /** How often it can be used in all; null for as often as one likes. Unpaid uses count while they are reserved. */
          max_uses: number | null;
          max_uses_per_person: number | null;
          /** What it is for, for those who run the house. */
          note: string;
          percentage: number;
          /** The plans it takes something off; null for all of them, empty for none. */
          plan_ids: string[] | null;
          starts_at: string;
        };
        Insert: {
          active?: boolean;
          applies_to_cards?: boolean;
          code: string;
          created_at?: string;
          ends_at?: string | null;
          id?: string;
          max_uses?: number | null;
          max_uses_per_person?: number | null;
          note?: string;
          percentage: number;
          plan_ids?: string[] | null;
          starts_at?: string;
        };
        Update: {
          active?: boolean;
          applies_to_cards?: boolean;
          code?: string;
          created_at?: string;
          ends_at?: string | null;
          id?: string;
          max_uses?: number | null;
          max_uses_per_person?: number | null;
          note?: string;
          percentage?: number;
          plan_ids?: string[] | null;
          starts_at?: string;
        };
        Relationships: [];
      };
    };
    Views: Record<never, never>;
    Functions: {
      accept_emailed_invitation: {
        Args: never;
        Returns: string;
      };
      accept_handover: {
        Args: { memory_id: string };
        Returns: undefined;
      };
      answer_invitation: {
        Args: { invitation_id: string; accept: boolean };
        Returns: string;
      };
      apply_voucher: {
        Args: { code_text: string };
        Returns: { valid: boolean; discount_percentage: number; message: string; plan_ids?: string[] | null; applies_to_cards?: boolean };
      };
      arrange_album: {
        Args: { album_id: string; ids: string[] };
        Returns: undefined;
      };
      arrange_albums: {
        Args: { ids: string[] };
        Returns: undefined;
      };
      arrange_media: {
        Args: { memory_id: string; ids: string[] };
        Returns: undefined;
      };
      arrange_stories: {
        Args: { memory_id: string; ids: string[] };
        Returns: undefined;
      };
      block_person: {
        Args: { memory_id: string; person?: string | null; guest?: string | null; hide?: boolean };
        Returns: { id: string; hidden: { kind: "media" | "story" | "comment" | "reaction"; id: string; was: Row<"media">["moderation"] }[] };
      };
      delete_forever: {
        Args: { items: Json };
        Returns: number;
      };
      deleted_items: {
        Args: { of_memory?: string | null; skip?: number };
        Returns: { kind: Row<"trash">["kind"]; id: string; memory_id: string | null; memory_name: string; name: string; deleted_at: string; purged_at: string; bytes: number; media: Pick<Row<"media">, "id" | "type" | "placeholder" | "colour"> | null; total: number }[];
      };
      empty_trash: {
        Args: { of_others?: boolean };
        Returns: number;
      };
      end_session: {
        Args: { session_id: string };
        Returns: boolean;
      };
      grant_plan: {
        Args: { email: string; plan: string; years?: number | null };
        Returns: { plan_id: string; name: string; max_memories: number | null; storage_gb: number; storage_bytes: number; expires_at: string | null };
      };
      invitation_email: {
        Args: { invitation_id: string };
        Returns: { share_id: string; token: string }[];
      };
      link_openings: {
        Args: { link_id: string };
        Returns: { opened_at: string; times: number; device: Row<"share_openings">["device"]; person: string | null }[];
      };
      memory_people: {
        Args: { memory_id: string };
        Returns: { id: string; name: string; role: "owner" | Row<"memory_members">["role"] }[];
      };
      memory_rights: {
        Args: { memory_id: string };
        Returns: { role: "owner" | Row<"memory_members">["role"] | "visitor" | null; own: boolean; keep: boolean; see: boolean; contribute: boolean; comment: boolean; download: boolean };
      };
      moderate: {
        Args: { items: Json; decision: string };
        Returns: { kind: "media" | "story" | "comment" | "reaction"; id: string; was: Row<"media">["moderation"] }[];
      };
      moderation_queue: {
        Args: { memory_id: string; state: string };
        Returns: { kind: "media" | "story" | "comment" | "reaction"; id: string; created_at: string; name: string; user_id: string | null; guest_id: string | null; link_id: string | null; link_label: string | null; title: string; words: string; media: (Pick<Row<"media">, "id" | "type" | "placeholder" | "colour"> & Pick<Row<"media">, "object_name" | "poster_name" | "width" | "height" | "state">) | null }[];
      };
      move_media: {
        Args: { memory_id: string; ids: string[]; before?: string | null };
        Returns: undefined;
      };
      my_affiliate_balances: {
        Args: never;
        Returns: { currency: Currency; earned: number; reversed: number; waiting: number; payable: number; paid_out: number }[];
      };
      my_invitations: {
        Args: never;
        Returns: { id: string; memory_id: string; person_name: string; kind: Row<"memories">["kind"]; role: Row<"memory_members">["role"]; inviter_name: string; note: string; created_at: string }[];
      };
      my_sessions: {
        Args: never;
        Returns: { id: string; user_agent: string | null; ip: string | null; created_at: string; last_seen_at: string; is_current: boolean }[];
      };
      payable_affiliates: {
        Args: never;
        Returns: { email: string; currency: Currency; payable: number }[];
      };
      personalise_card: {
        Args: { card_id: string; words: Json; address: Json };
        Returns: undefined;
      };
      put_in_album: {
        Args: { album_id: string | null; ids: string[] };
        Returns: undefined;
      };
      recent_activity: {
        Args: never;
        Returns: { kind: "added" | "told" | "joined" | "began"; memory_id: string; memory_name: string; mine: boolean; author: string | null; items: number; at: string }[];
      };
      record_payout: {
        Args: { email: string; amount: number; currency: string; reference?: string };
        Returns: { id: string; left: number };
      };
      remake_link: {
        Args: { link_id: string };
        Returns: string;
      };
      remove_cover: {
        Args: { memory_id: string };
        Returns: undefined;
      };
      restore_deleted: {
        Args: { items: Json };
        Returns: { kind: Row<"trash">["kind"]; id: string; memory_id: string | null }[];
      };
      set_cover: {
        Args: { media_id: string };
        Returns: undefined;
      };
      set_media_dates: {
        Args: { ids: string[]; dates: (string | null)[] };
        Returns: string[];
      };
      storage_by_memory: {
        Args: { already?: number; most?: number };
        Returns: { memory_id: string; name: string; bytes: number; items: number }[];
      };
      storage_stats: {
        Args: never;
        Returns: { totalSize: number; maxStorage: number; usagePercentage: number } & { imageCount: number; videoCount: number; trash: { bytes: number; bytesOfOthers: number; itemsOfOthers: number }; largest: (Pick<Row<"media">, "id" | "memory_id" | "type" | "size" | "object_name" | "poster_name" | "placeholder" | "width" | "height" | "duration" | "created_at"> & Pick<Row<"media_details">, "mime_type" | "file_name"> & { memory_name: string })[] };
      };
      storage_use: {
        Args: never;
        Returns: { totalSize: number; maxStorage: number; usagePercentage: number };
      };
      unblock_person: {
        Args: { block_id: string };
        Returns: undefined;
      };
      waiting_counts: {
        Args: never;
        Returns: { memory_id: string; count: number }[];
      };
      withdraw_comment: {
        Args: { comment_id: string };
        Returns: undefined;
      };
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};

type Public = Database["public"];

/** A row of a table, as it is read. */
export type Row<Name extends keyof Public["Tables"]> = Public["Tables"][Name]["Row"];

/** What a function returns. */
export type Returned<Name extends keyof Public["Functions"]> = Public["Functions"][Name]["Returns"];
