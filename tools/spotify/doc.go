// Package spotify searches Spotify and changes the user's playlists.
//
// The user registers an app and logs in once, in a browser. The login uses the authorization code
// flow with PKCE, and verifies the OAuth state (golang.org/x/oauth2). The tool returns the address
// of the login page without waiting for the login. A server on 127.0.0.1:8888 then receives the
// code, or the user pastes it. An unfinished login is stored in tokens.json, so that another
// process can complete it. A refresh token expires six months after the login.
//
// Since February 2026 apps in development mode use other endpoints (POST /me/playlists and
// /playlists/{id}/items) and get at most 10 search results.
// https://developer.spotify.com/documentation/web-api/tutorials/february-2026-migration-guide
package spotify
