// Package spotify searches Spotify and fills playlists in the user's name.
//
// The user logs in once, in a browser, to their own app: authorization code with PKCE and a checked
// state (golang.org/x/oauth2). The tool never waits for it: it returns the address at once, and
// either a server on 127.0.0.1:8888 receives the answer or the user pastes it. tokens.json holds
// the state of an unfinished login, so that another process can finish it. A refresh token lasts
// six months from the login.
//
// Apps in development mode have other endpoints than the rest since February 2026: POST
// /me/playlists, /playlists/{id}/items, and at most 10 search results.
// https://developer.spotify.com/documentation/web-api/tutorials/february-2026-migration-guide
package spotify
