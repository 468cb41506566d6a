// Package office extracts the text of documents, spreadsheets and slides. It reads OpenDocument and
// the formats of Microsoft Office since 2007, which are all zip archives of XML. It neither runs
// nor fetches anything that a document contains, and needs no other program.
package office
