// Package steam looks up games in the Steam store and players on Steam.
//
// The store has no documented interface: it is asked for what its own pages ask
// for, in English and with prices for the United States. The Web API is documented
// at https://partner.steamgames.com/doc/webapi; only what concerns players needs
// STEAM_API_KEY, which goes in a header.
package steam
