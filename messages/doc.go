// Package messages defines the messages between rooms, the top-level directories of this
// repository.
//
// A front end sends an [Op] to a session and reads [Event] values, each wrapped in an [Envelope]
// that the session stamps. Everything here is plain data: small structs passed by value and never
// changed once sent. There are no channels, functions or process ids. The two interfaces are
// sealed, so that a check can find switches that lack a case for a type.
//
// A type belongs here only if its values are sent from one room to another. A message between two
// actors is declared beside the actor that receives it. The JSON names in event.go and op.go are a
// published format, which the golden files in testdata check.
package messages
