// Package steam looks up games in the Steam store and players on Steam.
//
// The store has no documented interface: requests are those of its own pages, in English and with
// prices for the United States. The Web API is documented at
// https://partner.steamgames.com/doc/webapi; only player data needs STEAM_API_KEY, which goes in a
// header.
package steam
