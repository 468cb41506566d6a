// Package steam looks up games in the Steam store, and players on Steam.
//
// The store has no documented interface, so the package sends the same requests as the store's own
// pages. It requests English text and US prices. The Web API is documented at
// https://partner.steamgames.com/doc/webapi. Only requests about a player need a key
// (STEAM_API_KEY), which is sent in a header.
package steam
