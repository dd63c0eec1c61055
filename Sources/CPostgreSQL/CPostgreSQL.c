// SPDX-License-Identifier: Apache-2.0
#include "CPostgreSQL.h"

#include "CLibraries.h"

// The functions of libpq that the target PostgreSQL calls.
#define FUNCTIONS(F) \
    F(PQconninfoOption *, PQconninfoParse, (const char *text, char **error), (text, error)) \
    F(void, PQconninfoFree, (PQconninfoOption *options), (options)) F(void, PQfreemem, (void *memory), (memory)) \
    F(PGconn *, PQconnectStartParams, (const char *const *words, const char *const *values, int expand), \
        (words, values, expand)) \
    F(PostgresPollingStatusType, PQconnectPoll, (PGconn *c), (c)) F(void, PQfinish, (PGconn *c), (c)) \
    F(ConnStatusType, PQstatus, (const PGconn *c), (c)) F(int, PQsocket, (const PGconn *c), (c)) \
    F(int, PQbackendPID, (const PGconn *c), (c)) F(int, PQserverVersion, (const PGconn *c), (c)) \
    F(char *, PQpass, (const PGconn *c), (c)) F(int, PQconnectionNeedsPassword, (const PGconn *c), (c)) \
    F(char *, PQerrorMessage, (const PGconn *c), (c)) F(int, PQclientEncoding, (const PGconn *c), (c)) \
    F(PGTransactionStatusType, PQtransactionStatus, (const PGconn *c), (c)) \
    F(const char *, PQparameterStatus, (const PGconn *c, const char *name), (c, name)) \
    F(PGVerbosity, PQsetErrorVerbosity, (PGconn *c, PGVerbosity verbosity), (c, verbosity)) \
    F(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *c, PQnoticeReceiver to, void *context), (c, to, context)) \
    F(int, PQsetnonblocking, (PGconn *c, int value), (c, value)) F(int, PQflush, (PGconn *c), (c)) \
    F(int, PQconsumeInput, (PGconn *c), (c)) F(int, PQisBusy, (PGconn *c), (c)) \
    F(int, PQenterPipelineMode, (PGconn *c), (c)) F(int, PQexitPipelineMode, (PGconn *c), (c)) \
    F(int, PQpipelineSync, (PGconn *c), (c)) F(int, PQsendQuery, (PGconn *c, const char *sql), (c, sql)) \
    F(int, PQsendPrepare, (PGconn *c, const char *name, const char *sql, int count, const Oid *types), \
        (c, name, sql, count, types)) \
    F(int, PQsendQueryParams, (PGconn *c, const char *sql, int count, const Oid *types, const char *const *values, \
        const int *lengths, const int *formats, int format), (c, sql, count, types, values, lengths, formats, format)) \
    F(int, PQsendQueryPrepared, (PGconn *c, const char *name, int count, const char *const *values, \
        const int *lengths, const int *formats, int format), (c, name, count, values, lengths, formats, format)) \
    F(PGresult *, PQgetResult, (PGconn *c), (c)) F(void, PQclear, (PGresult *r), (r)) \
    F(ExecStatusType, PQresultStatus, (const PGresult *r), (r)) F(char *, PQcmdStatus, (PGresult *r), (r)) \
    F(char *, PQcmdTuples, (PGresult *r), (r)) F(char *, PQresultErrorMessage, (const PGresult *r), (r)) \
    F(char *, PQresultErrorField, (const PGresult *r, int field), (r, field)) \
    F(int, PQntuples, (const PGresult *r), (r)) F(int, PQnfields, (const PGresult *r), (r)) \
    F(Oid, PQftype, (const PGresult *r, int column), (r, column)) \
    F(int, PQfformat, (const PGresult *r, int column), (r, column)) \
    F(int, PQgetisnull, (const PGresult *r, int row, int column), (r, row, column)) \
    F(int, PQgetlength, (const PGresult *r, int row, int column), (r, row, column)) \
    F(char *, PQgetvalue, (const PGresult *r, int row, int column), (r, row, column)) \
    F(int, pg_char_to_encoding, (const char *name), (name))

WAYMARK_LIBRARY("libpq.so.5", waymark_libpq_problem, FUNCTIONS)
