// Package modeltest is a model server for tests. It speaks real HTTP, follows a script, and is as
// strict about requests as the strictest provider.
//
// A [Step] answers one request. The path of the request selects the protocol of the answer:
// /chat/completions, /responses, /messages or Ollama's /api/chat.
//
//	server := modeltest.Start(t,
//		modeltest.Calls(modeltest.Call{Name: "read_file", Args: `{"path":"a.go"}`}),
//		modeltest.Text("It is", " empty."),
//	)
//	// OpenAI base URL: server.URL+"/v1", Ollama base URL: server.URL
//
// The server refuses each request that a real provider would refuse. If the step is not
// [Refused], a refusal fails the test. The test also fails if a request has no step or a step has
// no request.
//
// With [StartFunc], a function chooses the answer to each request. [StartPipe] does the same
// without sockets, for testing/synctest. [Serve] is for programs. By default, each event is
// flushed immediately.
//
// The answers are [Text], [Think], [Calls], [Status], [Page] and [Refused]. [Step.Append] appends
// faults and further answers:
//
//	modeltest.Text("half").Append(modeltest.Pause(gate), modeltest.Reset())
//
// The faults for Append are [Pause], [Drop], [Reset], [End], [Hang], [ErrorEvent], [Malformed],
// [Raw], [Bytes], [Garbled], [HugeLine], [EndlessThinking] and [EndlessText].
//
// [Step.WithFaults] changes how the whole answer is written:
//
//	modeltest.Text("hello").WithFaults(modeltest.Pings(), modeltest.Split(1))
//
// The list below contains the faults of all protocols. "make test-faults" prints a table of faults
// that change how a turn ends. The tests of each provider cover the faults of its protocol.
//
//  1. [SlowHeaders]: even the status is delayed, for a while or forever
//  2. [Pause]: silence in the middle, until the test ends it
//  3. [Hang]: the connection stays open, but the server sends nothing more
//  4. [Pings]: keep-alives between pieces of text, or keep-alives alone
//  5. [Drop]: the connection closes during the transfer
//  6. [Reset]: the connection is reset
//  7. [End]: a clean end without a finish reason, at any point of the answer
//  8. [NoDone]: the terminal event is missing
//  9. [NoFinish]: the finish reason and everything after it are missing
//  10. [KeepOpen]: the connection stays open after the end
//  11. [Unended]: the line end after the last event is missing
//  12. [Finish]: another finish reason, such as the output limit or a filter
//  13. [Text] without arguments: an empty answer
//  14. [Status]: any refusal, with or without Retry-After
//  15. [Page]: an HTML page with status 200, such as a login page
//  16. [ErrorEvent]: an error inside the stream
//  17. [Malformed]: an event with truncated JSON
//  18. [Raw] and [Bytes]: data that the protocol does not allow
//  19. [Garbled]: bytes that are not UTF-8
//  20. [HugeLine]: one event of any size
//  21. [EndlessThinking]: endless reasoning
//  22. [EndlessText]: endless text
//  23. [CRLF]: lines that end with "\r\n"
//  24. [NoSpace], [EventLines], [MultiLine]: other ways to write an event
//  25. [ByteOrderMark]: a byte order mark before the stream
//  26. [Split]: lines, JSON and characters that arrive in pieces
//  27. [Gzip]: a compressed stream
//  28. [ContentType]: a type other than the protocol's
//  29. [AtOnce]: one body although a stream was requested
//  30. [NoRole], [NoUsage]: fields that are missing
//  31. [UsageOnEach], [Tokens]: usage on every event, or usage that the test sets
//  32. [Nulls], [NullError]: null and empty fields
//  33. [Strangers]: unknown events and fields
//  34. [ChangingIDs], [NamedModel]: an id that differs between events; another model name
//  35. [ThinkField]: reasoning in a field with another name
//  36. [NoIDs]: calls without ids
//  37. [SameIDs]: calls with the same id
//  38. [NoIndex], [Index]: calls without an index, or with a wrong one
//  39. [RepeatedNames]: the name in each piece of a call
//  40. [ObjectArguments], [DoubleArguments]: arguments as an object, or encoded twice
//  41. [Pieces], [Interleaved]: calls in few pieces, or mixed with each other
//  42. [Signature]: content that the client must send back with the call
//  43. a [Call] whose Args are not JSON, or are cut off with Finish("length")
//  44. a [Call] to a tool that does not exist
//
// The table of "make test-faults" also contains faults of the Copilot CLI: it never answers, or it
// is killed before the first text, in the middle of the text, or while a tool runs.
package modeltest
