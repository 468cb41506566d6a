package spotify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/show"
)

// maxTracks is the maximum number of tracks in one request.
const maxTracks = 100

type createArgs struct {
	Name        string `json:"name" doc:"Title of the playlist" alias:"title" example:"Rainy evening"`
	Description string `json:"description" doc:"Description in one line" default:""`
	Public      bool   `json:"public" doc:"Let others see the playlist" default:"false"`
}

func (s *Service) createTool() tools.Tool {
	return tools.New(tools.Def[createArgs]{
		Name: "spotify_create_playlist",
		Sends: func(_ tools.Env, in createArgs) []tools.Destination {
			return tools.ToPeople("Spotify", in.Name+"\n"+in.Description)
		},
		Effect: tools.Outside,
		Keys:   "a login with spotify_auth", Doc: "Create an empty playlist in the user's Spotify account.",
		Examples: []string{"create a spotify playlist {Rainy evening|name}", "make a playlist {Rainy evening|name} on spotify"},
		Pool:     tools.Net, Service: "api.spotify.com, accounts.spotify.com",
		Run: s.create,
	})
}

func (s *Service) create(ctx context.Context, env tools.Env, in createArgs) (tools.Output, error) {
	name := strings.Join(strings.Fields(in.Name), " ")
	if name == "" {
		return tools.Output{}, errors.New("the name is empty")
	}
	body := map[string]any{"name": name, "public": in.Public}
	if description := strings.Join(strings.Fields(in.Description), " "); description != "" { // Spotify rejects line breaks
		body["description"] = description
	}
	var made item
	if err := s.ask(ctx, env, http.MethodPost, "/me/playlists", body, &made); err != nil {
		return tools.Output{}, err
	}
	if made.ID == "" {
		return tools.Output{}, errors.New("Spotify did not report which playlist it made; look in the app before trying again")
	}
	return tools.Output{Text: fmt.Sprintf("Created the playlist %s.\nID: %s\n%s", show.Line(made.Name, 200), show.Line(made.ID, 60), show.Line(made.Links.Spotify, 200))}, nil
}

type addArgs struct {
	Playlist string   `json:"playlist_id" doc:"The playlist's ID, URI or address" alias:"playlist,id" example:"3cEYpjA9oz9GiPac4AsH4n"`
	Tracks   []string `json:"tracks" doc:"URIs, ISRCs, or search words (title and artist)" alias:"track_queries,track_uris,queries" example:"[\"Take Five Dave Brubeck\"]"`
}

func (s *Service) addTool() tools.Tool {
	return tools.New(tools.Def[addArgs]{
		Name: "spotify_add_tracks",
		Sends: func(_ tools.Env, in addArgs) []tools.Destination {
			return tools.ToPeople("Spotify", in.Playlist+"\n"+strings.Join(in.Tracks, "\n"))
		},
		Effect: tools.Outside,
		Keys:   "a login with spotify_auth", Doc: "Add tracks to one of the user's playlists. For search words, adds the first match.",
		Examples: []string{"add {Take Five|tracks} to the spotify playlist {3cEYpjA9oz9GiPac4AsH4n|playlist_id}", "put {So What|tracks} on my spotify playlist {3cEYpjA9oz9GiPac4AsH4n|playlist_id}"},
		Pool:     tools.Net, Service: "api.spotify.com, accounts.spotify.com", Timeout: 2 * time.Minute,
		Run: s.add,
	})
}

func (s *Service) add(ctx context.Context, env tools.Env, in addArgs) (tools.Output, error) {
	playlist, ok := idIn(in.Playlist, "playlist")
	if !ok {
		return tools.Output{}, tools.Advise(fmt.Errorf("%q is not a playlist", show.Line(in.Playlist, 100)), "Give its ID, its URI (spotify:playlist:ID) or its address. spotify_create_playlist returns an ID.")
	}
	if len(in.Tracks) == 0 || len(in.Tracks) > maxTracks {
		return tools.Output{}, tools.Advise(fmt.Errorf("the call names %d tracks", len(in.Tracks)), "Give 1 to %d at a time.", maxTracks)
	}
	tracks := splitTracks(in.Tracks)
	if len(tracks) > maxTracks {
		return tools.Output{}, tools.Advise(fmt.Errorf("the call names %d tracks", len(tracks)), "Give 1 to %d at a time.", maxTracks)
	}
	var uris, added, failed []string
	for i, track := range tracks {
		env.Progress(fmt.Sprintf("%d of %d", i+1, len(tracks)))
		uri, title, err := s.resolve(ctx, env, strings.TrimSpace(track))
		switch {
		case err != nil:
			return tools.Output{}, fmt.Errorf("nothing was added: %w", err)
		case uri == "":
			failed = append(failed, show.Line(track, 100)+" (not found)")
		default:
			uris, added = append(uris, uri), append(added, title)
		}
	}
	if len(uris) > 0 {
		var answer struct{}
		if err := s.ask(ctx, env, http.MethodPost, "/playlists/"+playlist+"/items", map[string]any{"uris": uris}, &answer); err != nil {
			return tools.Output{}, err
		}
	}
	return tools.Output{Text: strings.TrimSpace(report("Added", added) + report("Failed", failed))}, nil
}

// splitTracks splits strings that name several tracks, such as "So What,spotify:track:…". It splits
// a string only before and after a URI, an address or an ISRC, because song titles contain commas:
// "Hello, Goodbye".
func splitTracks(given []string) []string {
	var tracks []string
	for _, text := range given {
		parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' || r == ';' })
		exact := func(part string) bool {
			part = strings.TrimSpace(part)
			_, ok := idIn(part, "track")
			return ok && strings.ContainsAny(part, ":/") || isISRC(part)
		}
		if len(parts) < 2 || !slices.ContainsFunc(parts, exact) {
			tracks = append(tracks, text)
			continue
		}
		var words []string
		flush := func() {
			if text := strings.TrimSpace(strings.Join(words, ",")); text != "" {
				tracks = append(tracks, text)
			}
			words = nil
		}
		for _, part := range parts {
			if !exact(part) {
				words = append(words, part)
				continue
			}
			flush()
			tracks = append(tracks, strings.TrimSpace(part))
		}
		flush()
	}
	return tracks
}

func report(what string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("%s %d:\n- %s\n", what, len(list), strings.Join(list, "\n- "))
}

// resolve returns the URI and title of a track. The caller passes a Spotify URI, a URL, an ISRC or
// search words.
func (s *Service) resolve(ctx context.Context, env tools.Env, track string) (uri, title string, err error) {
	if track == "" {
		return "", "", nil
	}
	if id, ok := idIn(track, "track"); ok && strings.ContainsAny(track, ":/") {
		return "spotify:track:" + id, "spotify:track:" + id, nil
	}
	if isISRC(track) {
		track = "isrc:" + strings.ToUpper(strings.ReplaceAll(track, "-", ""))
	}
	found, err := s.search(ctx, env, track, "track", 3) // a result may be null
	if err != nil || len(found) == 0 {
		return "", "", err
	}
	return found[0].URI, found[0].title(), nil
}

// idIn extracts an ID from text: a bare ID, spotify:kind:ID, or
// https://open.spotify.com/kind/ID?si=…. An ID has 22 letters and digits.
func idIn(text, kind string) (string, bool) {
	text = strings.TrimSpace(text)
	for _, before := range []string{"spotify:" + kind + ":", "open.spotify.com/" + kind + "/"} {
		if _, rest, found := strings.Cut(text, before); found {
			text = rest
		} else if _, rest, found := strings.Cut(text, "/"+kind+"/"); found && strings.Contains(text, "open.spotify.com/intl-") {
			text = rest
		}
	}
	text, _, _ = strings.Cut(text, "?")
	return text, len(text) == 22 && strings.Trim(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// isISRC reports whether text is an International Standard Recording Code, such as USRC17607839,
// with or without dashes.
func isISRC(text string) bool {
	text = strings.ToUpper(strings.ReplaceAll(text, "-", ""))
	if len(text) != 12 {
		return false
	}
	for i, r := range text {
		letter, digit := r >= 'A' && r <= 'Z', r >= '0' && r <= '9'
		if i < 2 && !letter || i < 5 && !letter && !digit || i >= 5 && !digit {
			return false
		}
	}
	return true
}
