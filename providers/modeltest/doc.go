// Package modeltest is a model server for tests: real HTTP, driven by a script,
// and as strict about requests as the strictest provider.
//
// A [Step] answers one request. The same step is spoken as OpenAI events on
// /v1/chat/completions and as Ollama lines on /api/chat, whichever is asked:
//
//	server := modeltest.Start(t,
//		modeltest.Calls(modeltest.Call{Name: "read_file", Args: `{"path":"a.go"}`}),
//		modeltest.Text("It is", " empty."),
//	)
//	// OpenAI base URL: server.URL+"/v1", Ollama base URL: server.URL
//
// A request that a real provider would refuse is answered as that
// provider would, and fails the test unless the step is [Refused]. A request
// without a step, and a step without a request, fail it as well.
//
// [StartFunc] answers by looking at the request and serves any number of clients,
// [StartPipe] does the same without sockets, for testing/synctest, and [Serve] is
// for programs. Answers are flushed event by event unless a [Fault] says otherwise.
//
// The answers are [Text], [Think], [Calls], [Status], [Page] and [Refused].
// [Step.Then] joins answers and what goes wrong between them:
//
//	modeltest.Text("half").Then(modeltest.Pause(gate), modeltest.Reset())
//
// namely [Pause], [Drop], [Reset], [End], [Hang], [ErrorEvent], [Malformed], [Raw],
// [Bytes], [Garbled], [HugeLine], [EndlessThinking] and [EndlessText].
//
// [Step.With] changes how the whole answer is written:
//
//	modeltest.Text("hello").With(modeltest.Pings(), modeltest.Split(1))
//
// The faults follow. The actors' table (make test-faults) plays those that change how
// a turn ends, with every provider whose protocol has them; the tests of openaichat
// and ollama read the ways in which the same answer can be written.
//
//  1. [SlowHeaders]: not even the status comes, for a while or for ever
//  2. [Pause]: silence in the middle, until a gate opens
//  3. [Hang]: silence without end on an open connection
//  4. [Pings]: keep-alives, between words or instead of them
//  5. [Drop]: the connection closes in the middle of the transfer
//  6. [Reset]: the connection is reset
//  7. [End]: a clean end without a reason, in front of a word, in an answer or a call
//  8. [NoDone]: the terminal event is missing
//  9. [NoFinish]: the finish reason and all behind it are missing
//  10. [KeepOpen]: the connection stays open behind the end
//  11. [Unended]: the line end behind the last event is missing
//  12. [Finish]: another finish reason, as of the output limit or a filter
//  13. [Text] without words: an answer that says nothing
//  14. [Status]: any refusal, with or without Retry-After
//  15. [Page]: an HTML page with status 200, as of a login
//  16. [ErrorEvent]: an error inside the stream
//  17. [Malformed]: an event whose JSON breaks off
//  18. [Raw] and [Bytes]: what is no event of the protocol at all
//  19. [Garbled]: bytes that are not UTF-8
//  20. [HugeLine]: one event of any size
//  21. [EndlessThinking]: thinking without end
//  22. [EndlessText]: an answer without end
//  23. [CRLF]: lines that end with two characters
//  24. [NoSpace], [EventLines], [MultiLine]: other ways to write an event
//  25. [ByteOrderMark]: a mark in front of the stream
//  26. [Split]: lines, JSON and characters that arrive in pieces
//  27. [Gzip]: a compressed stream
//  28. [ContentType]: another type than the protocol's
//  29. [AtOnce]: one body instead of the stream that was asked for
//  30. [NoRole], [NoUsage]: fields that are missing
//  31. [UsageOnEach], [Tokens]: usage that comes too often, or is what the test says
//  32. [Nulls], [NullError]: null and empty fields
//  33. [Strangers]: events and fields that nobody knows
//  34. [ChangingIDs], [NamedModel]: an answer that changes its names
//  35. [ThinkField]: reasoning under another name
//  36. [NoIDs]: calls without ids
//  37. [SameIDs]: calls with the same id
//  38. [NoIndex], [Index]: calls without an index, or with a wrong one
//  39. [RepeatedNames]: the name in each piece of a call
//  40. [ObjectArguments], [DoubleArguments]: arguments as an object, or encoded twice
//  41. [Pieces], [Interleaved]: calls in few pieces, or mixed with each other
//  42. [Signature]: content of a call that the provider wants back
//  43. a [Call] whose Args are no JSON, or cut off with Finish("length")
//  44. a [Call] of a tool that does not exist
//
// What is not a model's fault is in the actors' table alone: a Copilot CLI that is
// killed before a word, in mid-turn or while a tool runs, and one that never answers.
package modeltest
