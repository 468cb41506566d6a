// Package messages defines the messages that rooms send to each other. A room is a top-level
// directory of this repository.
//
// A front end sends an [Op] to a session and reads [Event] values, each wrapped in an [Envelope]
// that the session stamps. Everything here is plain data: small structs passed by value and never
// changed once sent. There are no channels, functions or process ids. [Op] and [Event] are sealed,
// so that "make sumtypes" can find switches that lack cases.
//
// A type belongs here only if its values are sent from one room to another. A message between two
// actors is declared beside the actor that receives it. The JSON names in event.go and op.go are a
// published format, which the golden files in testdata check.
package messages
